// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The thread on which packets are handed to their readers, each at its time, and on which the
/// kernel's sequencer is listened to.
///
/// No lock is held while a reader is called.
final class DeliveryThread: Sendable {
  /// The thread of the process; nil where none can be had.
  static let shared: DeliveryThread? = make()

  private let wait: DeadlineWait
  private let queue = Mutex(DeliveryQueue())
  private let feeds = Mutex<[InputFeed]>([])
  private let busyLinks = Mutex<[OutputLink]>([])
  /// What else is waited for: the announcements of the sequencer.
  private let watch = Mutex<(descriptor: Int32, body: @Sendable () -> Bool)?>(nil)
  private static let pause: Int64 = 20_000_000

  private init() throws(RealtimeError) {
    wait = try DeadlineWait()
  }

  private static func make() -> DeliveryThread? {
    do {
      let made = try DeliveryThread()
      // It runs as long as the process does.
      _ = try RealtimeThread(name: "MIDI", priority: 60) { made.run() }
      return made
    } catch {
      return nil
    }
  }

  /// Has something happen at an instant, or at once where that is past.
  func add(_ deliveries: [DeliveryQueue.Delivery]) {
    queue.withLock { queue in
      for delivery in deliveries { queue.add(delivery) }
    }
    wait.wake()
  }

  /// Has a step done so many nanoseconds from now.
  func add(after delay: Int64, _ step: @escaping @Sendable () -> Void) {
    let time = DeadlineWait.now + delay
    add([DeliveryQueue.Delivery(time: time, target: 0, deed: .step(step))])
  }

  /// Takes packets back, and releases what sounds and would have been released.
  func takeBack(_ target: MIDIObjectRef?) {
    let now = DeadlineWait.now
    queue.withLock { queue in
      let taken = queue.takeBack(target)
      for delivery in taken where delivery.time <= now { queue.add(delivery) }
      for release in Self.releases(taken.filter { $0.time > now }, at: now) { queue.add(release) }
    }
    wait.wake()
  }

  /// Takes back what somebody has sent for an instant and later.
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

  /// Has a link go on with what it could not hand over.
  func add(_ link: OutputLink) {
    busyLinks.withLock { links in
      if !links.contains(where: { $0 === link }) { links.append(link) }
    }
    wait.wake()
  }

  /// Has a closure called whenever a descriptor is readable, until it returns false.
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

  /// Hands over what is due; neighbours for one reader go in one list.
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
  /// Whether both are packets for one reader from one source.
  fileprivate func isJoined(by next: Self) -> Bool {
    guard case .packet(_, let reader, let data) = deed,
      case .packet(_, let other, let otherData) = next.deed
    else { return false }
    guard reader === other else { return false }
    return unsafe data == otherData
  }
}
