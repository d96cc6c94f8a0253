// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// A table of objects that are found by handles.
///
/// For an invalid handle (nil, stale, or of an object with another type) the table returns nil. The
/// place of a removed object is reused as late as possible. Finding an object does not take a lock.
///
/// - Note: Any thread.
@safe public final class HandleTable: Sendable {
  /// The table of the process.
  public static let shared = HandleTable()

  static var capacity: Int { 1 << Handle.indexBits }

  /// The places; only those with an index below `begun` are initialized.
  // Safe: the pointer never changes, and a place only has atomic values.
  @usableFromInline nonisolated(unsafe) let places: UnsafeMutablePointer<HandlePlace>
  @usableFromInline let begun = Atomic(1)
  private let free = Mutex(FreePlaces())

  /// The places that can be reused, the oldest first.
  private struct FreePlaces: Sendable {
    var list: [Int] = []
    var first = 0

    /// Removes the oldest place, if more than 1024 are free or, with `atAnyRate`, if any is free.
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

  /// Adds an object to the table, which retains it.
  ///
  /// - Returns: The handle, or nil if a million objects are in the table.
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

  /// Removes an object; other references to it stay valid.
  ///
  /// - Returns: True if the handle was valid.
  @discardableResult
  public func remove(_ handle: Handle) -> Bool {
    guard handle.index < begun.load(ordering: .acquiring), handle.index > 0,
      let object = unsafe places[handle.index].take(handle.generation)
    else { return false }
    free.withLock { $0.give(handle.index) }
    // The object is freed here, without a lock.
    withExtendedLifetime(object) {}
    return true
  }

  /// Returns the object of a handle, or nil if the handle is invalid or the object has another
  /// type.
  @inlinable
  public func object<Object: AnyObject & Sendable>(
    _ handle: Handle?, as type: Object.Type = Object.self
  ) -> Object? {
    guard let handle, handle.index < begun.load(ordering: .acquiring), handle.index > 0 else {
      return nil
    }
    return unsafe places[handle.index].object(handle.generation, as: type)
  }

  /// Returns the object of a pointer, or nil if the handle is invalid or the object has another
  /// type.
  @inlinable
  public func object<Object: AnyObject & Sendable>(
    at pointer: OpaquePointer?, as type: Object.Type = Object.self
  ) -> Object? {
    unsafe object(Handle(pointer), as: type)
  }

  /// Returns the object of a number, or nil if the handle is invalid or the object has another
  /// type.
  public func object<Object: AnyObject & Sendable>(
    numbered number: UInt32, as type: Object.Type = Object.self
  ) -> Object? {
    let index = Int(number) & (Self.capacity - 1)
    guard index > 0, index < begun.load(ordering: .acquiring) else { return nil }
    let generation = unsafe places[index].generation
    guard generation & 0xFFF == Int(number >> UInt32(Handle.indexBits)) else { return nil }
    return unsafe places[index].object(generation, as: type)
  }

  /// Calls a closure with exclusive access to an object of the shared table.
  ///
  /// Returns nil if the handle is invalid, or if the object has another type or is of a subclass.
  /// The closure must be short: other threads that need the object spin until it returns.
  /// References are not counted, because this would take longer than the closure.
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

  /// Returns all objects of a type, with their handles.
  ///
  /// - Complexity: O(n) in the number of all objects.
  public func all<Object: AnyObject & Sendable>(_ type: Object.Type) -> [(Handle, Object)] {
    (1..<begun.load(ordering: .acquiring)).compactMap { index in
      let generation = unsafe places[index].generation
      return unsafe places[index].object(generation, as: type).map {
        (Handle(index: index, generation: generation), $0)
      }
    }
  }
}
