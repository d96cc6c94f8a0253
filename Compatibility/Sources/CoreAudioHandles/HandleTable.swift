// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Objects behind handles: found again as long as they are in the table, and only as what they are.
///
/// A handle that is stale, nil or of something else finds nothing; it never traps. The place of an
/// object that was taken out is given again as late as can be.
///
/// - Note: any thread may use it.
public final class HandleTable: Sendable {
  /// The table of the process.
  public static let shared = HandleTable()

  private struct Place: Sendable {
    var object: (any AnyObject & Sendable)?
    var generation = 1
  }

  private struct Places: Sendable {
    // Place 0 is never given: a number of 0 stands for nothing.
    var all = [Place()]
    var free: [Int] = []
    var firstFree = 0

    mutating func take() -> Int? {
      if firstFree < free.count, free.count - firstFree > 1024 || all.count == HandleTable.capacity
      {
        defer { firstFree += 1 }
        return free[firstFree]
      }
      guard all.count < HandleTable.capacity else { return nil }
      all.append(Place())
      return all.count - 1
    }

    mutating func give(_ index: Int) {
      if firstFree > 4096, firstFree * 2 > free.count {
        free.removeFirst(firstFree)
        firstFree = 0
      }
      free.append(index)
    }

    func place(_ index: Int, _ generation: Int, mask: Int) -> (any AnyObject & Sendable)? {
      guard all.indices.contains(index), all[index].generation & mask == generation else {
        return nil
      }
      return all[index].object
    }
  }

  static let capacity = 1 << Handle.indexBits
  private static let generations = 1 << Handle.generationBits - 1
  private let places = Mutex(Places())

  /// Creates an empty table.
  public init() {}

  /// Puts an object into the table, which keeps it.
  ///
  /// - Returns: Its handle; nil where a million objects are in the table.
  public func add(_ object: some AnyObject & Sendable) -> Handle? {
    places.withLock { places in
      guard let index = places.take() else { return nil }
      places.all[index].object = object
      return Handle(index: index, generation: places.all[index].generation)
    }
  }

  /// The object of a handle; nil where there is none, or it is something else.
  public func object<Object: AnyObject & Sendable>(
    _ handle: Handle?, as type: Object.Type = Object.self
  ) -> Object? {
    guard let handle else { return nil }
    let found = places.withLock {
      $0.place(handle.index, handle.generation, mask: Self.generations)
    }
    return Self.narrowed(found)
  }

  /// The object of a pointer; nil where there is none, or it is something else.
  public func object<Object: AnyObject & Sendable>(
    at pointer: OpaquePointer?, as type: Object.Type = Object.self
  ) -> Object? {
    unsafe object(Handle(pointer))
  }

  /// The object of a number; nil where there is none, or it is something else.
  public func object<Object: AnyObject & Sendable>(
    numbered number: UInt32, as type: Object.Type = Object.self
  ) -> Object? {
    let index = Int(number) & (Self.capacity - 1)
    let generation = Int(number >> UInt32(Handle.indexBits))
    return Self.narrowed(places.withLock { $0.place(index, generation, mask: 0xFFF) })
  }

  /// Takes an object out; whoever still holds it may go on with it.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  public func remove(_ handle: Handle) -> Bool {
    let removed = places.withLock { places in
      guard let object = places.place(handle.index, handle.generation, mask: Self.generations)
      else { return nil as (any AnyObject & Sendable)? }
      places.all[handle.index].object = nil
      places.all[handle.index].generation = (handle.generation + 1) & Self.generations
      places.give(handle.index)
      return object
    }
    // The object is freed here, outside of the lock.
    return removed != nil
  }

  /// Every object of a kind, with its handle.
  ///
  /// - Complexity: O(n) in all objects.
  public func all<Object: AnyObject & Sendable>(_ type: Object.Type) -> [(Handle, Object)] {
    let places = places.withLock { $0.all }
    return places.enumerated().compactMap { index, place in
      Self.narrowed(place.object).map { (Handle(index: index, generation: place.generation), $0) }
    }
  }

  private static func narrowed<Object: AnyObject>(_ object: (any AnyObject & Sendable)?) -> Object?
  {
    object as? Object
  }
}
