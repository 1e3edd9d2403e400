/**
 * A map whose versions are values: `with` and `without` give a new version and leave the old one readable.
 * The newest version owns one ordinary Map, an older one remembers only the key in which it differs from its
 * successor (Baker's trick), so a chain of n changes costs n, not n copies. Storing `undefined` means absence.
 */
export class VersionedMap<K, V extends object> {
  #map: Map<K, V> | undefined;
  #newer: VersionedMap<K, V> | undefined;
  #changedKey: K | undefined;
  #valueBefore: V | undefined;

  private constructor(map: Map<K, V>) {
    this.#map = map;
  }

  static of<K, V extends object>(entries: Iterable<readonly [K, V]> = []): VersionedMap<K, V> {
    return new VersionedMap(new Map(entries));
  }

  get(key: K): V | undefined {
    let version: VersionedMap<K, V> = this;
    while (version.#newer !== undefined) {
      if (version.#changedKey === key) return version.#valueBefore;
      version = version.#newer;
    }
    return version.#map?.get(key);
  }

  values(): V[] {
    return [...(this.#map ?? this.#copy()).values()];
  }

  with(key: K, value: V): VersionedMap<K, V> {
    return this.#change(key, value);
  }

  without(key: K): VersionedMap<K, V> {
    return this.#change(key, undefined);
  }

  /** Every key whose value may differ between `before` and this later version, with the value it had before. */
  changesSince(before: VersionedMap<K, V>): Map<K, V | undefined> {
    const changes = new Map<K, V | undefined>();
    let version = before;
    while (version !== this) {
      if (version.#newer === undefined) throw new Error('changesSince: not an earlier version of this map');
      const key = version.#changedKey as K;
      if (!changes.has(key)) changes.set(key, version.#valueBefore);
      version = version.#newer;
    }
    return changes;
  }

  /** Changing an older version again starts a line of its own, which costs one copy. */
  #copy(): Map<K, V> {
    const undone = new Map<K, V | undefined>();
    let version: VersionedMap<K, V> = this;
    for (; version.#newer !== undefined; version = version.#newer) {
      const key = version.#changedKey as K;
      if (!undone.has(key)) undone.set(key, version.#valueBefore);
    }
    const copy = new Map(version.#map);
    for (const [key, value] of undone) {
      if (value === undefined) copy.delete(key);
      else copy.set(key, value);
    }
    return copy;
  }

  #change(key: K, value: V | undefined): VersionedMap<K, V> {
    if (this.#map === undefined) return new VersionedMap(this.#copy()).#change(key, value);
    const map = this.#map;
    const next = new VersionedMap(map);
    this.#newer = next;
    this.#changedKey = key;
    this.#valueBefore = map.get(key);
    this.#map = undefined;
    if (value === undefined) map.delete(key);
    else map.set(key, value);
    return next;
  }
}
