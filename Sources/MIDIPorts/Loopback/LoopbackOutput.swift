// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A port of `LoopbackPorts` that sends.
final class LoopbackOutput: OutputPort {
  /// The number of events that only releases, resets and clocks may use.
  private static let reserve = 200

  let description: String
  private let ports: LoopbackPorts
  private let number: Int

  init(_ ports: LoopbackPorts, name: String) {
    self.ports = ports
    description = "\(ports.kind):\(name)"
    number = ports.state.withLock { state in
      let number = state.makeNumber()
      state.outputs[number] = LoopbackState.Output()
      return number
    }
  }

  deinit {
    ports.state.withLock { $0.outputs[number] = nil }
  }

  func connect(to destination: Endpoint) throws {
    try ports.state.withLock { state in
      guard state.isPluggedIn(destination.name) else {
        throw EndpointError.vanished(name: "\(destination)")
      }
      state.outputs[number]?.targets.insert(destination.name)
    }
  }

  var hasListeners: Bool {
    ports.state.withLock { $0.outputs[number]?.targets.isEmpty == false }
  }

  var ordersByTime: Bool { true }

  func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    let now = ports.now()
    return ports.state.withLock { state in
      state.deliver(until: now)
      guard var output = state.outputs[number] else { return 0 }
      var taken = 0
      while taken < events.count, Self.hasRoom(for: events[taken], in: output.coming) {
        output.coming.append(events[taken], payloads: payloads)
        taken += 1
      }
      output.coming.sortByTime()
      state.outputs[number] = output
      return taken
    }
  }

  private static func hasRoom(for event: HostEvent, in list: HostEventBuffer) -> Bool {
    guard case .message(let message) = event.payload, message.isRelease || message.status >= 0xF8
    else { return list.events.count < LoopbackState.limit - reserve }
    return list.events.count < LoopbackState.limit
  }

  func cancel(from time: HostTime) {
    let now = ports.now()
    ports.state.withLock { state in
      state.deliver(until: now)
      state.outputs[number]?.coming.filter { $0.time < time }
    }
  }

  func silence() {
    let now = ports.now()
    ports.state.withLock { state in
      state.deliver(until: now)
      state.outputs[number]?.coming.removeAll()
      let releases = state.outputs[number]?.ledger.takeReleases(cuttingSound: true) ?? []
      state.send(releases, from: number, at: now)
    }
  }

  /// Does nothing: the devices end with this process.
  func leaveSounding() {}

  func drain(until limit: HostTime) -> Bool {
    while true {
      let now = ports.now()
      let isEmpty = ports.state.withLock { state in
        state.deliver(until: now)
        return state.outputs[number]?.coming.isEmpty != false
      }
      if isEmpty { return true }
      // The machine's clock, because the clock of the devices may be stopped.
      if HostTime(nanoseconds: DeadlineWait.now) >= limit { return false }
      DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
    }
  }

  func sysExProgress(at time: HostTime) -> (sent: Int, total: Int) { (0, 0) }
}
