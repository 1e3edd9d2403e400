"""Carries packets between two TUN devices, one in each network namespace, late and with losses in both directions.

late-path.py <namespace file> <namespace file> <milliseconds each way> <percent lost>
"""
import ctypes
import fcntl
import os
import random
import select
import struct
import subprocess
import sys
import time
from collections import deque

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
CLONE_NEWNET = 0x40000000
NAME = b"late0"

libc = ctypes.CDLL(None, use_errno=True)


def device_in(namespace):
    handle = os.open(namespace, os.O_RDONLY)
    if libc.setns(handle, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns " + namespace)
    os.close(handle)
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", NAME, IFF_TUN | IFF_NO_PI))
    subprocess.run(["ip", "link", "set", NAME.decode(), "up"], check=True)
    return device


def main():
    first, second, delay_ms, loss_percent = sys.argv[1:]
    delay, loss = float(delay_ms) / 1000, float(loss_percent) / 100
    devices = [device_in(first), device_in(second)]
    other = {devices[0]: devices[1], devices[1]: devices[0]}
    waiting = deque()
    print("ready", flush=True)
    while True:
        timeout = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for device in select.select(devices, [], [], timeout)[0]:
            packet = os.read(device, 65536)
            if random.random() >= loss:
                waiting.append((time.monotonic() + delay, other[device], packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, device, packet = waiting.popleft()
            try:
                os.write(device, packet)
            except OSError:
                pass  # As a path does: what cannot be delivered is lost.


main()
