// SPDX-License-Identifier: Apache-2.0

/// The smallest of some values at hand: a binary heap that keeps its room.
struct Heap<Element: BitwiseCopyable & Sendable>: Sendable {
  private var elements: ContiguousArray<Element> = []
  private let precedes: @Sendable (Element, Element) -> Bool

  init(capacity: Int, by precedes: @escaping @Sendable (Element, Element) -> Bool) {
    self.precedes = precedes
    elements.reserveCapacity(capacity)
  }

  var isEmpty: Bool { elements.isEmpty }
  var first: Element? { elements.first }

  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
  }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) >> 1
      guard precedes(elements[child], elements[parent]) else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return first }
    elements[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < elements.count else { return first }
      if child + 1 < elements.count, precedes(elements[child + 1], elements[child]) { child += 1 }
      guard precedes(elements[child], elements[parent]) else { return first }
      elements.swapAt(child, parent)
      parent = child
    }
  }
}
