// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import Synchronization

/// One place of the table: an object, and a word that says which generation of handles it has, how
/// many look at it, and whether one has it alone.
@usableFromInline @safe struct HandlePlace: ~Copyable {
  /// The address of the object, which is retained; 0 for none.
  ///
  /// Only who has the place alone changes it.
  @usableFromInline let object = Atomic<UInt>(0)
  /// The generation above 16 bits; bit 15 for one alone; the number of others.
  @usableFromInline let word = Atomic<UInt64>(1 << 16)

  @usableFromInline static var sole: UInt64 { 1 << 15 }
  @usableFromInline static var holders: UInt64 { 1 << 16 - 1 }

  @usableFromInline init() {}

  deinit {
    _ = released()
  }

  var generation: Int { Int(word.load(ordering: .relaxed) >> 16) }

  /// Keeps an object in a place that is free, and says by which generation it is found.
  func put(_ new: AnyObject) -> Int {
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(new).toOpaque())
    object.store(address, ordering: .releasing)
    return generation
  }

  /// Takes the object out: its handles find nothing from then on.
  func take(_ generation: Int) -> AnyObject? {
    guard enter(generation, alone: true) else { return nil }
    let old = released()
    let next = old == nil ? generation : (generation + 1) & (1 << Handle.generationBits - 1)
    word.store(UInt64(next) << 16, ordering: .releasing)
    return old
  }

  private func released() -> AnyObject? {
    guard
      let pointer = unsafe UnsafeRawPointer(bitPattern: object.exchange(0, ordering: .acquiring))
    else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
  }

  /// Begins to look at the object, or waits until it can be had alone; false for a handle that is
  /// stale.
  @inlinable
  func enter(_ generation: Int, alone: Bool) -> Bool {
    var known = word.load(ordering: .relaxed)
    var round = 0
    while true {
      guard known >> 16 == UInt64(generation) else { return false }
      let others = known & (alone ? Self.holders : Self.sole)
      guard others == 0 else {
        known = wait(&round)
        continue
      }
      let wanted = alone ? known | Self.sole : known + 1
      let (isIn, found) = word.compareExchange(
        expected: known, desired: wanted, successOrdering: .acquiring, failureOrdering: .relaxed)
      if isIn { return true }
      known = found
    }
  }

  /// Lets others run; before long by sleeping, for a thread of a higher priority would else keep a
  /// processor from the one that it waits for.
  @usableFromInline
  func wait(_ round: inout Int) -> UInt64 {
    round += 1
    if round < 16 { sched_yield() } else { usleep(50) }
    return word.load(ordering: .relaxed)
  }

  /// Ends what `enter` began.
  ///
  /// Not inlined, so that an object is retained before.
  @usableFromInline @inline(never)
  func leave(alone: Bool) {
    word.subtract(alone ? Self.sole : 1, ordering: .releasing)
  }

  /// The object, retained.
  @inlinable
  func object<Object: AnyObject>(_ generation: Int, as type: Object.Type) -> Object? {
    guard enter(generation, alone: false) else { return nil }
    defer { leave(alone: false) }
    guard let found = unsafe reference() else { return nil }
    let object: AnyObject = unsafe found.takeUnretainedValue()
    return Self.narrowed(object, to: type)
  }

  /// Lends the object to a closure, to one thread at a time.
  @inlinable
  func withSole<Object: AnyObject, Result>(
    _ generation: Int, _ type: Object.Type, _ body: (Object) -> Result
  ) -> Result? {
    guard enter(generation, alone: true) else { return nil }
    defer { word.subtract(Self.sole, ordering: .releasing) }
    guard let found = unsafe reference() else { return nil }
    // No cast, which would retain it: whoever is lent is of no subclass.
    return unsafe found._withUnsafeGuaranteedRef { object in
      guard ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) else { return nil }
      return body(unsafe unsafeDowncast(object, to: type))
    }
  }

  @inlinable
  func reference() -> Unmanaged<AnyObject>? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: object.load(ordering: .acquiring))
    else {
      return nil
    }
    return unsafe Unmanaged<AnyObject>.fromOpaque(pointer)
  }

  /// The object as what it is, of a subclass too.
  @inlinable
  static func narrowed<Object: AnyObject>(_ object: AnyObject, to type: Object.Type) -> Object? {
    // Much less than a cast, and nearly always so.
    if ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) {
      return unsafe unsafeDowncast(object, to: type)
    }
    return object as? Object
  }
}
