// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The thread that passes packets to their readers, each at its time, and receives from the
/// kernel's sequencer.
///
/// It does not hold a lock while it calls a reader.
final class DeliveryThread: Sendable {
  /// The thread of this process, or nil if it cannot be started.
  static let shared: DeliveryThread? = make()

  private let wait: DeadlineWait
  private let queue = Mutex(DeliveryQueue())
  private let feeds = Mutex<[InputFeed]>([])
  private let busyLinks = Mutex<[OutputLink]>([])
  /// Another descriptor on which the thread waits: that of the sequencer's announcements.
  private let watch = Mutex<(descriptor: Int32, body: @Sendable () -> Bool)?>(nil)
  private static let pause: Int64 = 20_000_000

  private init() throws(RealtimeError) {
    wait = try DeadlineWait()
  }

  private static func make() -> DeliveryThread? {
    do {
      let made = try DeliveryThread()
      // It runs until the process ends.
      _ = try RealtimeThread(name: "MIDI", priority: 60) { made.run() }
      return made
    } catch {
      return nil
    }
  }

  /// Adds deliveries; those with a time in the past are made at once.
  func add(_ deliveries: [DeliveryQueue.Delivery]) {
    queue.withLock { queue in
      for delivery in deliveries { queue.add(delivery) }
    }
    wait.wake()
  }

  /// Adds a step that runs after a number of nanoseconds.
  func add(after delay: Int64, _ step: @escaping @Sendable () -> Void) {
    let time = DeadlineWait.now + delay
    add([DeliveryQueue.Delivery(time: time, target: 0, deed: .step(step))])
  }

  /// Cancels packets, and releases sounding notes whose note-offs are cancelled.
  func takeBack(_ target: MIDIObjectRef?) {
    let now = DeadlineWait.now
    queue.withLock { queue in
      let taken = queue.takeBack(target)
      for delivery in taken where delivery.time <= now { queue.add(delivery) }
      for release in Self.releases(taken.filter { $0.time > now }, at: now) { queue.add(release) }
    }
    wait.wake()
  }

  /// Cancels the deliveries of a sender that are due at or after a time.
  func cancel(from time: Int64, by sender: ObjectIdentifier) {
    queue.withLock { $0.cancel(from: time, by: sender) }
  }

  private static func releases(
    _ taken: [DeliveryQueue.Delivery], at now: Int64
  ) -> [DeliveryQueue.Delivery] {
    Set(taken.map(\.target)).sorted().flatMap { target -> [DeliveryQueue.Delivery] in
      let own = taken.filter { $0.target == target }
      let packets = own.compactMap { delivery in
        if case .packet(let packet, _, _) = delivery.deed { packet } else { nil }
      }
      guard let first = own.first, case .packet(_, let reader, let data) = first.deed else {
        return []
      }
      return Releases.owed(by: Releases.messages(in: packets)).map { message in
        let bytes = TimedBytes(
          time: UInt64(clamping: now), bytes: [message.status, message.data1, message.data2])
        return unsafe DeliveryQueue.Delivery(
          time: now, target: target, deed: .packet(bytes, for: reader, from: data))
      }
    }
  }

  func add(_ feed: InputFeed) {
    feeds.withLock { $0.append(feed) }
    wait.wake()
  }

  func remove(_ feed: InputFeed) {
    feeds.withLock { $0.removeAll { $0 === feed } }
  }

  /// Makes a link continue with the messages that the kernel has not accepted yet.
  func add(_ link: OutputLink) {
    busyLinks.withLock { links in
      if !links.contains(where: { $0 === link }) { links.append(link) }
    }
    wait.wake()
  }

  /// Calls a closure whenever a descriptor is readable, until the closure returns false.
  func watch(_ descriptor: Int32, _ body: @escaping @Sendable () -> Bool) {
    watch.withLock { $0 = (descriptor, body) }
    wait.wake()
  }

  private func run() -> Never {
    while true {
      let feeds = feeds.withLock { $0 }
      let watched = watch.withLock { $0 }
      let descriptors = Set(feeds.flatMap(\.port.descriptors)).sorted()
      let others = watched.map { [$0.descriptor] } ?? []
      let isBusy = busyLinks.withLock { !$0.isEmpty }
      let pause = isBusy ? DeadlineWait.now + Self.pause : nil
      let next = queue.withLock { $0.next }
      let deadline = [next, pause].compactMap(\.self).min()
      _ = wait.wait(until: deadline, readable: descriptors + others)
      hand(queue.withLock { $0.take(through: DeadlineWait.now) })
      for feed in feeds where !feed.drain() { remove(feed) }
      if let watched, !watched.body() { watch.withLock { $0 = nil } }
      if isBusy { goOn() }
    }
  }

  private func goOn() {
    let links = busyLinks.withLock { $0 }
    let done = links.filter { !$0.goOn() }
    busyLinks.withLock { links in
      links.removeAll { link in done.contains { $0 === link } }
    }
  }

  /// Makes the deliveries that are due; consecutive packets for one reader are passed in one list.
  private func hand(_ due: [DeliveryQueue.Delivery]) {
    var run: [TimedBytes] = []
    for (place, delivery) in due.enumerated() {
      switch delivery.deed {
      case .step(let step): step()
      case .packet(let packet, let reader, let data):
        run.append(packet)
        if place + 1 < due.count, delivery.isJoined(by: due[place + 1]) { continue }
        unsafe reader.read(run, from: data)
        run = []
      }
    }
  }
}

extension DeliveryQueue.Delivery {
  /// True if both are packets for the same reader from the same source.
  fileprivate func isJoined(by next: Self) -> Bool {
    guard case .packet(_, let reader, let data) = deed,
      case .packet(_, let other, let otherData) = next.deed
    else { return false }
    guard reader === other else { return false }
    return unsafe data == otherData
  }
}
