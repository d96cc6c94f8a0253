// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A port that receives, from one port or from any connection.
final class MIDIInDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its superclass; the rest is atomic or constant.

  /// The full name of the source; nil for any connection.
  let source: String?
  private let name: String
  private let queue: MIDIInQueue
  /// The number of the port in its queue.
  private let place: UInt32
  private var port: JACKPort?
  /// The frames from a sound to its arrival.
  private let latency = Atomic<Int>(0)
  /// The events of the present cycle so far.
  private var taken = MIDIInQueue.Part()
  /// The time of the last message, in nanoseconds.
  private var last = Int64.min

  init(name: String, from source: String?, _ queue: MIDIInQueue, place: UInt32) {
    (self.name, self.source, self.queue, self.place) = (name, source, queue, place)
  }

  override var order: Order { .receiving }

  override func open(_ handle: JACKHandle) throws(JACKError) {
    port = try handle.port(name, JACKHandle.midi, JackPortIsInput)
  }

  override func close(_ handle: JACKHandle) {
    if let port { handle.remove(port) }
    port = nil
  }

  override func connect(_ handle: JACKHandle) throws(JACKError) -> Bool {
    source == nil || isConnected(handle)
  }

  /// Connects to the source; false if it is missing.
  func isConnected(_ handle: JACKHandle) -> Bool {
    guard let port, let source else { return false }
    return handle.connect(source, to: handle.name(of: port))
  }

  /// The full name of the port in other programs.
  func fullName(_ handle: JACKHandle) -> String? { port.map { handle.name(of: $0) } }

  /// The full names of the connected ports.
  func sources(_ handle: JACKHandle) -> [String] {
    port.map { handle.connections(of: $0) } ?? []
  }

  override func process(_ cycle: JACKCycle) {
    taken = MIDIInQueue.Part()
    take(cycle)
  }

  override func processAgain(_ cycle: JACKCycle) { take(cycle) }

  private func take(_ cycle: JACKCycle) {
    guard let port else { return }
    let count = UInt32(truncatingIfNeeded: cycle.frameCount)
    guard let buffer = unsafe cjack_port_buffer(cycle.table, port.pointer, count) else { return }
    let delay = Double(latency.load(ordering: .relaxed)) * cycle.nanosecondsPerFrame
    let line = cycle.line(at: 0, later: -Int64(delay))
    // Late events of a sender may arrive in one cycle with the following ones, and after a late
    // cycle JACK 2 moves its time ahead for one cycle. The order of events is preserved in both
    // cases.
    var last = last
    taken = unsafe queue.take(buffer, cycle.table, place: place, behind: taken) {
      let time = line.timeRoundedUp(atCount: Int64($0)).nanoseconds
      if time > last { last = time }
      return last
    }
    self.last = last
  }

  override func note(isAway: Bool) {
    guard isAway else { return }
    queue.gapCount.add(1, ordering: .relaxed)
    queue.news.wake()
  }

  override func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {
    guard let port else { return }
    // Received events are not passed on.
    guard mode == JackCaptureLatency else { return library.setLatency(0, of: port, mode) }
    latency.store(library.latency(of: port, mode), ordering: .relaxed)
  }
}
