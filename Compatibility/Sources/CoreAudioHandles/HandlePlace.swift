// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import Synchronization

/// A place of the table: an object, and a word for its generation and its users.
///
/// The word has the number of threads that use the object, and a bit that is set while one thread
/// uses it exclusively.
@usableFromInline @safe struct HandlePlace: ~Copyable {
  /// The address of the retained object, or 0 for none.
  ///
  /// Only a thread that uses the place exclusively changes it.
  @usableFromInline let object = Atomic<UInt>(0)
  /// The generation from bit 16 on; bit 15 for exclusive use; the number of other users below.
  @usableFromInline let word = Atomic<UInt64>(1 << 16)

  @usableFromInline static var sole: UInt64 { 1 << 15 }
  @usableFromInline static var holders: UInt64 { 1 << 16 - 1 }

  @usableFromInline init() {}

  deinit {
    _ = released()
  }

  var generation: Int { Int(word.load(ordering: .relaxed) >> 16) }

  /// Stores an object in a free place; returns the generation of its handle.
  func put(_ new: AnyObject) -> Int {
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(new).toOpaque())
    object.store(address, ordering: .releasing)
    return generation
  }

  /// Removes and returns the object; from then on its handles are invalid.
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

  /// Begins to use the object, alone or together with other threads; waits if necessary.
  ///
  /// Returns false if the handle is stale.
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

  /// Lets other threads run.
  ///
  /// After some rounds it sleeps, because a thread with high priority would otherwise keep the
  /// processor from the thread for which it waits.
  @usableFromInline
  func wait(_ round: inout Int) -> UInt64 {
    round += 1
    if round < 16 { sched_yield() } else { usleep(50) }
    return word.load(ordering: .relaxed)
  }

  /// Ends the use that `enter` began.
  ///
  /// Not inlined, so that an object is retained before.
  @usableFromInline @inline(never)
  func leave(alone: Bool) {
    word.subtract(alone ? Self.sole : 1, ordering: .releasing)
  }

  /// Returns the object, retained.
  @inlinable
  func object<Object: AnyObject>(_ generation: Int, as type: Object.Type) -> Object? {
    guard enter(generation, alone: false) else { return nil }
    defer { leave(alone: false) }
    guard let found = unsafe reference() else { return nil }
    let object: AnyObject = unsafe found.takeUnretainedValue()
    return Self.narrowed(object, to: type)
  }

  /// Calls a closure with the object, which other threads cannot use meanwhile.
  @inlinable
  func withSole<Object: AnyObject, Result>(
    _ generation: Int, _ type: Object.Type, _ body: (Object) -> Result
  ) -> Result? {
    guard enter(generation, alone: true) else { return nil }
    defer { word.subtract(Self.sole, ordering: .releasing) }
    guard let found = unsafe reference() else { return nil }
    // Without a cast, which would retain the object; such objects do not have subclasses.
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

  /// The object as its type, or as a superclass of it.
  @inlinable
  static func narrowed<Object: AnyObject>(_ object: AnyObject, to type: Object.Type) -> Object? {
    // This comparison takes much less time than a cast, and nearly always succeeds.
    if ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) {
      return unsafe unsafeDowncast(object, to: type)
    }
    return object as? Object
  }
}
