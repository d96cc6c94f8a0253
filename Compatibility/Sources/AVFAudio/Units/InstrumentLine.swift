// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontInstruments
internal import Synchronization

/// The MIDI events of a node on their way to its instrument; it stays the same if the instrument is
/// replaced.
///
/// Programs, controllers and pitch bends are kept, so that the next instrument receives them, too.
///
/// - Note: Any thread; the render thread does not use it.
final class InstrumentLine: EventSink, Sendable {
  private let state = Mutex(State())

  // Unchecked: used under the lock.
  private struct State: @unchecked Sendable {
    weak var instrument: InstrumentUnit?
    var held = HeldMessages()
    /// SysEx messages that each instrument receives first, without F0 and F7.
    var beginning: [[UInt8]] = []
    private var buffer = EventBuffer(capacity: 64, payloadCapacity: 4096)

    // A time that has passed: the next quantum is the first that can play the event.

    mutating func deliver(_ message: Message) {
      guard let instrument else { return }
      buffer.removeAll()
      buffer.append(TimedEvent(time: .zero, payload: .message(message)))
      _ = instrument.send(buffer.events.span, payloads: buffer.payloads.span)
    }

    mutating func deliver(sysEx bytes: [UInt8]) {
      guard let instrument else { return }
      buffer.removeAll()
      buffer.append(sysEx: bytes.span, time: .zero, track: 0)
      _ = instrument.send(buffer.events.span, payloads: buffer.payloads.span)
    }
  }

  /// Sends to another instrument from now on: first the beginning, then what was kept.
  func connect(_ instrument: InstrumentUnit) {
    nonisolated(unsafe) let instrument = instrument
    state.withLock { state in
      unsafe state.instrument = instrument
      for bytes in state.beginning { state.deliver(sysEx: bytes) }
      for message in state.held.messages { state.deliver(message) }
    }
  }

  /// Sends a message for the next quantum.
  func send(_ message: Message) {
    state.withLock { state in
      state.held.take(message)
      state.deliver(message)
    }
  }

  /// Sends a SysEx message, without F0 and F7, for the next quantum.
  func send(sysEx bytes: [UInt8]) { state.withLock { $0.deliver(sysEx: bytes) } }

  /// Sets what instruments receive first, and sends it.
  ///
  /// - Parameters:
  ///   - beginning: SysEx messages without F0 and F7.
  ///   - messages: Messages that replace the banks and programs that were kept; nil to keep those.
  func begin(_ beginning: [[UInt8]], programs messages: [Message]?) {
    state.withLock { state in
      state.beginning = beginning
      for bytes in beginning { state.deliver(sysEx: bytes) }
      guard let messages else { return }
      state.held.removePrograms()
      for message in messages {
        state.held.take(message)
        state.deliver(message)
      }
    }
  }

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    state.withLock { state in
      for index in events.indices {
        if case .message(let message) = events[index].payload { state.held.take(message) }
      }
      return state.instrument?.send(events, payloads: payloads) ?? events.count
    }
  }

  func cancel(from time: ReferenceTime) {
    state.withLock { $0.instrument?.cancel(from: time) }
  }
}
