// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// A queue of fixed capacity from one writing thread to one reading thread, neither of which ever
/// waits.
///
/// A full ring rejects new elements. The ring owns the memory: `writer` and `reader` can be copied
/// to the threads, but are only valid while the ring exists. Join the threads before the ring is
/// destroyed.
///
/// - Note: Real-time safe, except for creation and destruction.
@safe
public struct RingBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  /// The end that adds elements; for one thread.
  public let writer: RingWriter<Element>
  /// The end that removes elements; for one thread.
  public let reader: RingReader<Element>
  /// The maximum number of elements in the ring.
  public let capacity: Int
  private let core: RingCore<Element>

  /// Creates a ring with room for at least a number of elements.
  ///
  /// The capacity is rounded up to a power of two.
  ///
  /// - Precondition: `minimumCapacity` is 1…2³⁰.
  public init(minimumCapacity: Int) {
    precondition((1...1 << 30).contains(minimumCapacity), "a ring buffer holds 1 to 2^30 elements")
    var capacity = 1
    while capacity < minimumCapacity { capacity *= 2 }
    self.capacity = capacity
    core = RingCore(capacity: capacity)
    writer = RingWriter(core)
    reader = RingReader(core)
  }

  deinit {
    core.deallocate()
  }
}

/// The memory that both ends of a ring share.
///
/// Each cursor has a separate cache line, to avoid contention. `head` counts removed elements and
/// is only stored by the reader; `tail` counts added elements and is only stored by the writer.
@usableFromInline
@safe
struct RingCore<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let head: UnsafeMutablePointer<Atomic<Int>>
  @usableFromInline let tail: UnsafeMutablePointer<Atomic<Int>>
  @usableFromInline let elements: UnsafeMutablePointer<Element>
  @usableFromInline let mask: Int
  private let memory: UnsafeMutableRawPointer

  init(capacity: Int) {
    let line = 128
    let bytes = 2 * line + capacity * MemoryLayout<Element>.stride
    unsafe memory = .allocate(byteCount: bytes, alignment: line)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    unsafe head = memory.bindMemory(to: Atomic<Int>.self, capacity: 1)
    unsafe tail = (memory + line).bindMemory(to: Atomic<Int>.self, capacity: 1)
    unsafe head.initialize(to: Atomic(0))
    unsafe tail.initialize(to: Atomic(0))
    unsafe elements = (memory + 2 * line).bindMemory(to: Element.self, capacity: capacity)
    mask = capacity - 1
  }

  func deallocate() {
    unsafe memory.deallocate()
  }

  @inlinable
  var count: Int {
    unsafe tail.pointee.load(ordering: .acquiring) &- head.pointee.load(ordering: .acquiring)
  }
}

/// The writing end of a ring buffer.
///
/// - Note: Real-time safe. One thread at a time.
public struct RingWriter<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  @usableFromInline let core: RingCore<Element>

  init(_ core: RingCore<Element>) {
    self.core = core
  }

  /// The number of elements that can be added now.
  ///
  /// The reader can only increase it.
  @inlinable
  public var room: Int { core.mask &+ 1 &- core.count }

  /// Adds an element, or returns false if the ring is full.
  @inlinable
  public func push(_ element: Element) -> Bool {
    let tail = unsafe core.tail.pointee.load(ordering: .relaxed)
    let head = unsafe core.head.pointee.load(ordering: .acquiring)
    guard tail &- head <= core.mask else { return false }
    unsafe core.elements[tail & core.mask] = element
    unsafe core.tail.pointee.store(tail &+ 1, ordering: .releasing)
    return true
  }

  /// Adds all elements or none; returns false if they do not fit.
  ///
  /// - Complexity: O(n) in the number of elements.
  @inlinable
  public func push(contentsOf source: Span<Element>) -> Bool {
    let tail = unsafe core.tail.pointee.load(ordering: .relaxed)
    let head = unsafe core.head.pointee.load(ordering: .acquiring)
    guard source.count <= core.mask &+ 1 &- (tail &- head) else { return false }
    for index in 0..<source.count {
      unsafe core.elements[(tail &+ index) & core.mask] = source[index]
    }
    unsafe core.tail.pointee.store(tail &+ source.count, ordering: .releasing)
    return true
  }
}

/// The reading end of a ring buffer.
///
/// - Note: Real-time safe. One thread at a time.
public struct RingReader<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  @usableFromInline let core: RingCore<Element>

  init(_ core: RingCore<Element>) {
    self.core = core
  }

  /// The number of elements that can be read now.
  ///
  /// The writer can only increase it.
  @inlinable
  public var count: Int { core.count }

  /// Returns the oldest element without removing it, or nil if the ring is empty.
  @inlinable
  public func peek() -> Element? {
    let head = unsafe core.head.pointee.load(ordering: .relaxed)
    guard unsafe head != core.tail.pointee.load(ordering: .acquiring) else { return nil }
    return unsafe core.elements[head & core.mask]
  }

  /// Removes and returns the oldest element, or returns nil if the ring is empty.
  @inlinable
  public func pop() -> Element? {
    let head = unsafe core.head.pointee.load(ordering: .relaxed)
    guard unsafe head != core.tail.pointee.load(ordering: .acquiring) else { return nil }
    let element = unsafe core.elements[head & core.mask]
    unsafe core.head.pointee.store(head &+ 1, ordering: .releasing)
    return element
  }

  /// Removes up to `limit` of the oldest elements, passes each to `body`, and returns their number.
  ///
  /// - Complexity: O(n) in the number of elements removed.
  @inlinable
  public func pop(atMost limit: Int, _ body: (Element) -> Void) -> Int {
    let head = unsafe core.head.pointee.load(ordering: .relaxed)
    let waiting = unsafe core.tail.pointee.load(ordering: .acquiring) &- head
    let taken = max(0, min(limit, waiting))
    for index in 0..<taken {
      body(unsafe core.elements[(head &+ index) & core.mask])
    }
    unsafe core.head.pointee.store(head &+ taken, ordering: .releasing)
    return taken
  }
}
