// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The input of a clock: bytes that a program passes in, or that its sync source sends.
final class ClockFeed: EventInput, Sendable {
  private let news: DeadlineWait
  private let state = Mutex(State())
  /// The maximum number of stored events; if more arrive before a drain, all are dropped.
  private static let limit = 4096

  private struct State: Sendable {
    var parser = MessageParser()
    var events = HostEventBuffer(capacity: 64, payloadCapacity: 256)
  }

  init() throws(RealtimeError) {
    news = try DeadlineWait()
  }

  var descriptors: [Int32] { [news.descriptor] }

  func drain(into buffer: inout HostEventBuffer) {
    // The deadline is past, so this does not wait; it only clears the wake-up.
    _ = news.wait(until: 0)
    state.withLock { state in
      for event in state.events.events {
        buffer.append(event, payloads: state.events.payloads.span)
      }
      state.events.removeAll()
    }
  }

  /// Parses the packets of a list; time 0 means now.
  @unsafe
  func take(_ list: UnsafePointer<MIDIPacketList>) {
    let now = UInt64(clamping: DeadlineWait.now)
    state.withLock { state in
      if state.events.events.count > Self.limit { state.events.removeAll() }
      var packet = unsafe CoreAudioFirstPacket(list)
      for _ in 0..<(unsafe CoreAudioPacketCount(list)) {
        let time = unsafe CoreAudioPacketTime(packet)
        let count = unsafe Int(CoreAudioPacketLength(packet))
        let host = HostTime(nanoseconds: Int64(clamping: time == 0 ? now : time))
        let bytes = unsafe CoreAudioPacketBytes(packet)
        for place in 0..<count {
          unsafe state.parser.parse(bytes[place], time: host, into: &state.events)
        }
        unsafe packet = UnsafePointer(MIDIPacketNext(packet))
      }
    }
    news.wake()
  }
}
