// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// The deliveries that are due later, in order of time: packets for readers of this process, and
/// steps of longer operations.
struct DeliveryQueue: Sendable {
  /// The content of a delivery: a packet, or a step of a longer operation.
  @safe
  enum Deed: @unchecked Sendable {
    // Unchecked: the pointer is only passed back to the program that passed it in.
    case packet(TimedBytes, for: PacketReader, from: UnsafeMutableRawPointer?)
    case step(@Sendable () -> Void)
  }

  /// A delivery: its content, its time in nanoseconds of host time, and the endpoint that receives
  /// it.
  struct Delivery: Sendable {
    let time: Int64
    let target: MIDIObjectRef
    /// The object that sent the delivery, if it can cancel its deliveries.
    var sender: ObjectIdentifier?
    let deed: Deed
  }

  // In order of time; deliveries before `first` are done.
  private var all: [Delivery] = []
  private var first = 0

  /// The time of the next delivery.
  var next: Int64? { first < all.count ? all[first].time : nil }

  /// Adds a delivery after the deliveries at its time.
  ///
  /// - Complexity: O(1) if it is the latest, otherwise O(n).
  mutating func add(_ delivery: Delivery) {
    guard let last = all.last, last.time > delivery.time else { return all.append(delivery) }
    var (low, high) = (first, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].time <= delivery.time { low = middle + 1 } else { high = middle }
    }
    all.insert(delivery, at: low)
  }

  /// Removes the deliveries that are due and returns them.
  mutating func take(through now: Int64) -> [Delivery] {
    var end = first
    while end < all.count, all[end].time <= now { end += 1 }
    let due = Array(all[first..<end])
    first = end
    if first == all.count || first > 1024 {
      all.removeFirst(first)
      first = 0
    }
    return due
  }

  /// Removes the deliveries of a sender that are due at or after a time.
  mutating func cancel(from time: Int64, by sender: ObjectIdentifier) {
    all = all[first...].filter { $0.sender != sender || $0.time < time }
    first = 0
  }

  /// Removes all packets for one endpoint, or for all endpoints if it is nil, and returns them.
  mutating func takeBack(_ target: MIDIObjectRef?) -> [Delivery] {
    var taken: [Delivery] = []
    var rest: [Delivery] = []
    for delivery in all[first...] {
      let isMeant = target == nil || delivery.target == target
      if case .packet = delivery.deed, isMeant {
        taken.append(delivery)
      } else {
        rest.append(delivery)
      }
    }
    (all, first) = (rest, 0)
    return taken
  }
}
