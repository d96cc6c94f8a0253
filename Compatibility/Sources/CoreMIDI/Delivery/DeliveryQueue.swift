// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio

/// What is to happen at instants, in order: packets for readers of this process, and steps of what
/// takes longer.
struct DeliveryQueue: Sendable {
  /// What happens.
  @safe
  enum Deed: @unchecked Sendable {
    // Unchecked: the pointer is handed back to whoever gave it.
    case packet(TimedBytes, for: PacketReader, from: UnsafeMutableRawPointer?)
    case step(@Sendable () -> Void)
  }

  /// A deed, its instant in nanoseconds of the host's clock, and the endpoint it is for.
  struct Delivery: Sendable {
    let time: Int64
    let target: MIDIObjectRef
    /// Whose it is, where it may be taken back from an instant on.
    var sender: ObjectIdentifier?
    let deed: Deed
  }

  // In order of time; what is before `first` is done.
  private var all: [Delivery] = []
  private var first = 0

  /// The instant of the next.
  var next: Int64? { first < all.count ? all[first].time : nil }

  /// Adds a delivery behind those of its instant.
  ///
  /// - Complexity: O(1) where it is the last, else O(n).
  mutating func add(_ delivery: Delivery) {
    guard let last = all.last, last.time > delivery.time else { return all.append(delivery) }
    var (low, high) = (first, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].time <= delivery.time { low = middle + 1 } else { high = middle }
    }
    all.insert(delivery, at: low)
  }

  /// Takes what is due.
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

  /// Takes back what somebody has sent for an instant and later.
  mutating func cancel(from time: Int64, by sender: ObjectIdentifier) {
    all = all[first...].filter { $0.sender != sender || $0.time < time }
    first = 0
  }

  /// Takes the packets back that are still to come, of one endpoint or of all.
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
