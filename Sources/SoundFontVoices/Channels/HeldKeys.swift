// SPDX-License-Identifier: Apache-2.0

/// The last ten keys held on a channel, in the order of their notes, and the key before, for mono
/// mode, legato and portamento.
struct HeldKeys: BitwiseCopyable {
  /// The value for no key.
  static var none: UInt8 {
    @_noAllocation @_noLocks
    get { 255 }
  }

  private static var limit: Int {
    @_noAllocation @_noLocks
    get { 10 }
  }

  private var keys: InlineArray<10, UInt8> = InlineArray(repeating: 0)
  private var velocities: InlineArray<10, UInt8> = InlineArray(repeating: 0)
  private(set) var count = 0
  /// The key before the newest one, or the newest one after its release; `none` before the second
  /// note.
  private(set) var former: UInt8 = 255
  /// True if the newest note started, or remained, while another key was held.
  private(set) var isLegato = false
  /// The last key, also after its release; `none` before the first.
  private(set) var last: UInt8 = 255
  private var lastVelocity: UInt8 = 0

  @_noAllocation @_noLocks
  init() {}

  @_noAllocation @_noLocks
  mutating func add(_ key: UInt8, velocity: UInt8) {
    isLegato = count > 0
    former = last
    if count == Self.limit { remove(at: 0) }
    keys[count] = key
    velocities[count] = velocity
    count &+= 1
    (last, lastVelocity) = (key, velocity)
  }

  /// Makes this key the only one.
  @_noAllocation @_noLocks
  mutating func replace(by key: UInt8, velocity: UInt8) {
    isLegato = count > 0
    former = last
    count = 1
    (keys[0], velocities[0]) = (key, velocity)
    (last, lastVelocity) = (key, velocity)
  }

  /// True if a key is in the list.
  @_noAllocation @_noLocks
  func contains(_ key: UInt8) -> Bool {
    for index in 0..<count where keys[index] == key { return true }
    return false
  }

  /// Removes a key.
  ///
  /// If it was the newest, returns the key to return to, with its velocity.
  @_noAllocation @_noLocks
  mutating func release(_ key: UInt8) -> (key: UInt8, velocity: UInt8)? {
    for index in 0..<count where keys[index] == key {
      let isNewest = index == count &- 1
      if isNewest { former = key }
      remove(at: index)
      isLegato = count > 0
      guard isNewest, count > 0 else { return nil }
      (last, lastVelocity) = (keys[count &- 1], velocities[count &- 1])
      return (last, lastVelocity)
    }
    return nil
  }

  /// Removes all keys except the newest.
  @_noAllocation @_noLocks
  mutating func keepNewest() {
    guard count > 1 else { return }
    (keys[0], velocities[0]) = (last, lastVelocity)
    count = 1
  }

  @_noAllocation @_noLocks
  mutating func clear() {
    former = last
    count = 0
    isLegato = false
  }

  @_noAllocation @_noLocks
  private mutating func remove(at place: Int) {
    for index in place..<(count &- 1) {
      keys[index] = keys[index &+ 1]
      velocities[index] = velocities[index &+ 1]
    }
    count &-= 1
  }
}
