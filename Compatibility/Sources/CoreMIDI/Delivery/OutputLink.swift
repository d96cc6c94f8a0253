// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A port in the kernel's sequencer that sends: to one destination, or to whoever has connected.
///
/// The bytes of a packet become messages here, and the kernel delivers each at its time.
final class OutputLink: Sendable {
  /// The destination; nil for a source that others connect to.
  let target: Endpoint?
  private let port: ALSAOutputPort
  private let state = Mutex(State())

  private struct State: Sendable {
    var parser = MessageParser()
    /// What the kernel has no room for yet, from `start` on.
    var waiting = HostEventBuffer(capacity: 16, payloadCapacity: 256)
    var start = 0
    /// Messages that were handed on for later, to be told from what was heard where they are
    /// flushed.
    var ahead: [(time: HostTime, message: Message)] = []
  }

  /// Opens a port that sends to a destination; nil where either is gone.
  init?(_ client: ALSAClient, name: String, to target: Endpoint, speed: Int) {
    self.target = target
    do {
      port = try ALSAOutputPort(client, name: name, sysExSpeed: max(1, speed))
      try port.connect(to: target)
    } catch {
      return nil
    }
  }

  /// Opens a port that others connect to; nil where the sequencer has none left.
  init?(_ client: ALSAClient, source name: String) {
    target = nil
    do {
      port = try ALSAOutputPort(client, name: name)
    } catch {
      return nil
    }
  }

  var address: EndpointAddress { port.address }

  /// Sends packets; those of time 0 and those that are late go at once.
  ///
  /// - Returns: Whether they reached the sequencer.
  func send(_ packets: [TimedBytes]) -> Bool {
    state.withLock { state in
      let now = HostTime(nanoseconds: DeadlineWait.now)
      for packet in packets {
        let time = max(now, HostTime(nanoseconds: Int64(clamping: packet.time)))
        let first = state.waiting.events.count
        state.parser.parse(packet.bytes.span, time: time, into: &state.waiting)
        guard time > now else { continue }
        for event in state.waiting.events[first...] {
          if case .message(let message) = event.payload { state.ahead.append((time, message)) }
        }
      }
      state.ahead.removeAll { $0.time <= now }
      return flush(&state)
    }
  }

  /// Hands on what waits.
  ///
  /// - Returns: Whether the sequencer is there.
  private func flush(_ state: inout State) -> Bool {
    do {
      state.start += try port.send(state.waiting, from: state.start)
    } catch {
      return false
    }
    if state.start == state.waiting.events.count {
      state.waiting.removeAll()
      state.start = 0
    }
    return true
  }

  /// Goes on with what the kernel had no room for, and with a long SysEx.
  ///
  /// - Returns: Whether there is more to come.
  func goOn() -> Bool {
    state.withLock { state in
      guard flush(&state) else { return false }
      let now = HostTime(nanoseconds: DeadlineWait.now)
      return !state.waiting.isEmpty || port.sysExProgress(at: now).total > 0
    }
  }

  /// The bytes of a SysEx that is under way that have left and that there are.
  var progress: (sent: Int, total: Int) {
    port.sysExProgress(at: HostTime(nanoseconds: DeadlineWait.now))
  }

  /// Takes back what is due from an instant on.
  func cancel(from time: HostTime) {
    state.withLock { state in
      port.cancel(from: time)
      state.waiting.events.removeAll { $0.time >= time }
      state.start = min(state.start, state.waiting.events.count)
      state.ahead.removeAll { $0.time >= time }
    }
  }

  /// Takes back what is still to come, and releases what sounds and would have been released.
  func takeBack() {
    state.withLock { state in
      let now = HostTime(nanoseconds: DeadlineWait.now)
      port.cancel(from: now)
      state.waiting.removeAll()
      state.start = 0
      let owed = Releases.owed(by: state.ahead.filter { $0.time > now }.map(\.message))
      state.ahead = []
      for message in owed {
        state.waiting.append(HostEvent(time: now, payload: .message(message)))
      }
      _ = flush(&state)
    }
  }
}
