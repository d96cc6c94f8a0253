// SPDX-License-Identifier: Apache-2.0

/// A binary min-heap that keeps its memory when elements are removed.
struct Heap<Element: Comparable & BitwiseCopyable & Sendable>: Sendable {
  private var elements: ContiguousArray<Element> = []

  init(capacity: Int) { elements.reserveCapacity(capacity) }

  var isEmpty: Bool { elements.isEmpty }
  var first: Element? { elements.first }

  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0 {
      let parent = (place - 1) >> 1
      guard element < elements[parent] else { break }
      elements[place] = elements[parent]
      place = parent
    }
    elements[place] = element
  }

  @inline(__always)
  mutating func removeFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    if !elements.isEmpty { replaceFirst(by: last) }
    return first
  }

  /// Replaces the smallest element by another.
  ///
  /// The heap must not be empty.
  @inline(__always)
  mutating func replaceFirst(by element: Element) {
    let count = elements.count
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < count else { break }
      if child + 1 < count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < element else { break }
      elements[place] = elements[child]
      place = child
    }
    elements[place] = element
  }
}
