/**
 * A map whose versions are values: `with` and `without` give a new version and leave the old one readable.
 * One version owns one ordinary Map, every other remembers only the key in which it differs from its neighbour on the
 * way there (Baker's trick), so a chain of n changes costs n, not n copies. Storing `undefined` means absence.
 */
export class VersionedMap<K, V extends object> {
  #map: Map<K, V> | undefined;
  #towardsMap: VersionedMap<K, V> | undefined;
  #differingKey: K | undefined;
  #ownValue: V | undefined;

  private constructor(map: Map<K, V>) {
    this.#map = map;
  }

  static of<K, V extends object>(entries: Iterable<readonly [K, V]> = []): VersionedMap<K, V> {
    return new VersionedMap(new Map(entries));
  }

  /** Each value under the key that it has. */
  static by<K, V extends object>(values: readonly V[], keyOf: (value: V) => K): VersionedMap<K, V> {
    return VersionedMap.of(values.map((value) => [keyOf(value), value] as const));
  }

  get(key: K): V | undefined {
    let version: VersionedMap<K, V> = this;
    while (version.#towardsMap !== undefined) {
      if (version.#differingKey === key) return version.#ownValue;
      version = version.#towardsMap;
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

  /** Every key whose value may differ between `before` and this version, with the value it had before. */
  changesSince(before: VersionedMap<K, V>): Map<K, V | undefined> {
    this.#takeMap();
    const changes = new Map<K, V | undefined>();
    let version = before;
    while (version !== this) {
      if (version.#towardsMap === undefined) throw new Error('changesSince: not a version of this map');
      const key = version.#differingKey as K;
      if (!changes.has(key)) changes.set(key, version.#ownValue);
      version = version.#towardsMap;
    }
    return changes;
  }

  /** The values of keys whose value may differ from what it was `before`. */
  changedSince(before: VersionedMap<K, V>): V[] {
    return [...this.changesSince(before).keys()].flatMap((key) => this.get(key) ?? []);
  }

  #copy(): Map<K, V> {
    const undone = new Map<K, V | undefined>();
    let version: VersionedMap<K, V> = this;
    for (; version.#towardsMap !== undefined; version = version.#towardsMap) {
      const key = version.#differingKey as K;
      if (!undone.has(key)) undone.set(key, version.#ownValue);
    }
    const copy = new Map(version.#map);
    for (const [key, value] of undone) set(copy, key, value);
    return copy;
  }

  /** Becomes the version that owns the map: the way to it is turned round. */
  #takeMap(): Map<K, V> {
    const way: VersionedMap<K, V>[] = [];
    let owner: VersionedMap<K, V> = this;
    for (; owner.#towardsMap !== undefined; owner = owner.#towardsMap) way.push(owner);
    const map = owner.#map as Map<K, V>;
    for (const version of way.toReversed()) {
      const key = version.#differingKey as K;
      const value = version.#ownValue;
      owner.#pointTo(version, key, map.get(key));
      set(map, key, value);
      version.#map = map;
      version.#towardsMap = undefined;
      owner = version;
    }
    return map;
  }

  #pointTo(owner: VersionedMap<K, V>, key: K, ownValue: V | undefined): void {
    this.#map = undefined;
    this.#towardsMap = owner;
    this.#differingKey = key;
    this.#ownValue = ownValue;
  }

  #change(key: K, value: V | undefined): VersionedMap<K, V> {
    const map = this.#takeMap();
    const next = new VersionedMap(map);
    this.#pointTo(next, key, map.get(key));
    set(map, key, value);
    return next;
  }
}

function set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
