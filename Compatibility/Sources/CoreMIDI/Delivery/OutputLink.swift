// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A sending port in the kernel's sequencer, for one destination or for all connected ports.
///
/// It parses the bytes of packets into messages; the kernel delivers each message at its time.
final class OutputLink: Sendable {
  /// The destination, or nil for a source to which other ports connect.
  let target: Endpoint?
  private let port: ALSAOutputPort
  private let state = Mutex(State())

  private struct State: Sendable {
    var parser = MessageParser()
    /// The messages that the kernel has not accepted yet, from index `start` on.
    var waiting = HostEventBuffer(capacity: 16, payloadCapacity: 256)
    var start = 0
    /// The messages that are not due yet, so that a flush can distinguish them from delivered ones.
    var ahead: [(time: HostTime, message: Message)] = []
  }

  /// Opens a port that sends to a destination, or returns nil if this fails.
  init?(_ client: ALSAClient, name: String, to target: Endpoint, speed: Int) {
    self.target = target
    do {
      port = try ALSAOutputPort(client, name: name, sysExSpeed: max(1, speed))
      try port.connect(to: target)
    } catch {
      return nil
    }
  }

  /// Opens a port to which other ports connect, or returns nil if the sequencer refuses it.
  init?(_ client: ALSAClient, source name: String) {
    target = nil
    do {
      port = try ALSAOutputPort(client, name: name)
    } catch {
      return nil
    }
  }

  var address: EndpointAddress { port.address }

  /// Sends packets; packets with time 0 or a time in the past are sent at once.
  ///
  /// - Returns: True if the sequencer is available.
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

  /// Sends the stored messages.
  ///
  /// - Returns: True if the sequencer is available.
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

  /// Continues with messages that the kernel has not accepted yet, and with a long SysEx message.
  ///
  /// - Returns: True if messages or a part of a SysEx message are left.
  func goOn() -> Bool {
    state.withLock { state in
      guard flush(&state) else { return false }
      let now = HostTime(nanoseconds: DeadlineWait.now)
      return !state.waiting.isEmpty || port.sysExProgress(at: now).total > 0
    }
  }

  /// The progress of the current SysEx message, in bytes.
  var progress: (sent: Int, total: Int) {
    port.sysExProgress(at: HostTime(nanoseconds: DeadlineWait.now))
  }

  /// Cancels the messages that are due at or after a time.
  func cancel(from time: HostTime) {
    state.withLock { state in
      port.cancel(from: time)
      state.waiting.events.removeAll { $0.time >= time }
      state.start = min(state.start, state.waiting.events.count)
      state.ahead.removeAll { $0.time >= time }
    }
  }

  /// Cancels all messages that are not due yet, and releases sounding notes whose note-offs are
  /// cancelled.
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
