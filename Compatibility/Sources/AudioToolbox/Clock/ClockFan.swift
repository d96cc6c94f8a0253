// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreMIDI
internal import MIDIMessages
internal import MusicalTime
internal import Synchronization

/// Sends a clock's messages to the endpoints that the program has chosen, at the messages' times.
final class ClockFan: EventSink, Sendable {
  private let state = Mutex(State())

  private struct State: Sendable {
    var sinks: [EndpointSink] = []
    var sendsSongPosition = true
  }

  /// The endpoints that receive the messages.
  var endpoints: [MIDIEndpointRef] {
    get { state.withLock { $0.sinks.map(\.endpoint) } }
    set {
      state.withLock { state in
        state.sinks = newValue.map { number in
          state.sinks.first { $0.endpoint == number } ?? EndpointSink(to: number)
        }
      }
    }
  }

  /// True if song positions are sent.
  var sendsSongPosition: Bool {
    get { state.withLock(\.sendsSongPosition) }
    set { state.withLock { $0.sendsSongPosition = newValue } }
  }

  var ordersByTime: Bool { true }

  func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    let state = state.withLock { $0 }
    guard !state.sinks.isEmpty else { return events.count }
    var sent = HostEventBuffer(capacity: events.count, payloadCapacity: payloads.count)
    for index in events.indices {
      if case .message(let message) = events[index].payload, message.status == 0xF2,
        !state.sendsSongPosition
      {
        continue
      }
      sent.append(events[index], payloads: payloads)
    }
    for sink in state.sinks { _ = sink.send(sent.events.span, payloads: sent.payloads.span) }
    return events.count
  }

  func cancel(from time: HostTime) {
    for sink in state.withLock(\.sinks) { sink.cancel(from: time) }
  }
}
