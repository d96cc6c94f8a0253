// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// Objects behind handles: found again as long as they are in the table, and only as what they are.
///
/// A handle that is stale, nil or of something else finds nothing; it never traps. The place of an
/// object that was taken out is given again as late as can be. Finding takes no lock.
///
/// - Note: any thread may use it.
@safe public final class HandleTable: Sendable {
  /// The table of the process.
  public static let shared = HandleTable()

  static var capacity: Int { 1 << Handle.indexBits }

  /// The places, of which those below `begun` have begun; the rest of the memory is not touched.
  // The pointer never changes, and a place is all atomics.
  @usableFromInline nonisolated(unsafe) let places: UnsafeMutablePointer<HandlePlace>
  @usableFromInline let begun = Atomic(1)
  private let free = Mutex(FreePlaces())

  /// Places to give anew, the oldest first.
  private struct FreePlaces: Sendable {
    var list: [Int] = []
    var first = 0

    /// The oldest of many, or of any where there is no other room.
    mutating func take(atAnyRate: Bool) -> Int? {
      let waiting = list.count - first
      guard waiting > (atAnyRate ? 0 : 1024) else { return nil }
      defer { first += 1 }
      return list[first]
    }

    mutating func give(_ index: Int) {
      if first > 4096, first * 2 > list.count {
        list.removeFirst(first)
        first = 0
      }
      list.append(index)
    }
  }

  /// Creates an empty table.
  public init() {
    unsafe places = UnsafeMutablePointer.allocate(capacity: Self.capacity)
  }

  deinit {
    let count = begun.load(ordering: .acquiring)
    unsafe (places + 1).deinitialize(count: count - 1)
    unsafe places.deallocate()
  }

  /// Puts an object into the table, which keeps it.
  ///
  /// - Returns: Its handle; nil where a million objects are in the table.
  public func add(_ object: some AnyObject & Sendable) -> Handle? {
    free.withLock { free in
      let next = begun.load(ordering: .relaxed)
      let isFull = next == Self.capacity
      let index: Int
      if let old = free.take(atAnyRate: isFull) {
        index = old
      } else if isFull {
        return nil
      } else {
        index = next
        unsafe (places + index).initialize(to: HandlePlace())
        begun.store(index + 1, ordering: .releasing)
      }
      return Handle(index: index, generation: unsafe places[index].put(object))
    }
  }

  /// Takes an object out; whoever still holds it may go on with it.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  public func remove(_ handle: Handle) -> Bool {
    guard handle.index < begun.load(ordering: .acquiring), handle.index > 0,
      let object = unsafe places[handle.index].take(handle.generation)
    else { return false }
    free.withLock { $0.give(handle.index) }
    // The object is freed here, outside of every lock.
    withExtendedLifetime(object) {}
    return true
  }

  /// The object of a handle; nil where there is none, or it is something else.
  @inlinable
  public func object<Object: AnyObject & Sendable>(
    _ handle: Handle?, as type: Object.Type = Object.self
  ) -> Object? {
    guard let handle, handle.index < begun.load(ordering: .acquiring), handle.index > 0 else {
      return nil
    }
    return unsafe places[handle.index].object(handle.generation, as: type)
  }

  /// The object of a pointer; nil where there is none, or it is something else.
  @inlinable
  public func object<Object: AnyObject & Sendable>(
    at pointer: OpaquePointer?, as type: Object.Type = Object.self
  ) -> Object? {
    unsafe object(Handle(pointer), as: type)
  }

  /// The object of a number; nil where there is none, or it is something else.
  public func object<Object: AnyObject & Sendable>(
    numbered number: UInt32, as type: Object.Type = Object.self
  ) -> Object? {
    let index = Int(number) & (Self.capacity - 1)
    guard index > 0, index < begun.load(ordering: .acquiring) else { return nil }
    let generation = unsafe places[index].generation
    guard generation & 0xFFF == Int(number >> UInt32(Handle.indexBits)) else { return nil }
    return unsafe places[index].object(generation, as: type)
  }

  /// Lends the object of a pointer in the process's table to a closure, to one thread at a time; nil
  /// where there is none, or it is something else, of a subclass too.
  ///
  /// The closure is short: others who want the object look again and again meanwhile, and it cannot be
  /// taken out. No reference is counted, which would take longer than what a closure does.
  @inlinable
  public static func withSole<Object: AnyObject & Sendable, Result>(
    _ pointer: OpaquePointer?, _ type: Object.Type = Object.self, _ body: (Object) -> Result
  ) -> Result? {
    unsafe everlasting._withUnsafeGuaranteedRef { table in
      guard let handle = unsafe Handle(pointer),
        handle.index < table.begun.load(ordering: .acquiring), handle.index > 0
      else { return nil }
      return unsafe table.places[handle.index].withSole(handle.generation, type, body)
    }
  }

  @usableFromInline static let everlasting = unsafe Unmanaged.passUnretained(shared)

  /// Every object of a kind, with its handle.
  ///
  /// - Complexity: O(n) in all objects.
  public func all<Object: AnyObject & Sendable>(_ type: Object.Type) -> [(Handle, Object)] {
    (1..<begun.load(ordering: .acquiring)).compactMap { index in
      let generation = unsafe places[index].generation
      return unsafe places[index].object(generation, as: type).map {
        (Handle(index: index, generation: generation), $0)
      }
    }
  }
}
