// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import MIDIMessages
internal import MusicalTime
internal import Synchronization

/// The instrument of an engine, as the destination of a track.
///
/// - Note: One thread at a time sends.
final class EngineTrackSink: EventSink, Sendable {
  // Only read; weak references may be read on any thread.
  nonisolated(unsafe) private weak var engine: AVAudioEngine?
  nonisolated(unsafe) private weak var node: AVAudioNode?
  private let buffer = Mutex(EventBuffer(capacity: 64, payloadCapacity: 4096))

  /// Creates a destination.
  ///
  /// - Parameters:
  ///   - engine: The engine whose first instrument plays; nil for the node.
  ///   - node: The instrument.
  init(_ engine: AVAudioEngine?, node: AVAudioNode? = nil) {
    unsafe self.engine = engine
    unsafe self.node = node
  }

  private var player: (engine: AVAudioEngine, sink: any EventSink<ReferenceTime> & Sendable)? {
    let node = unsafe node
    guard let engine = unsafe node?.engine ?? engine, engine.isRunning,
      let sink = node?.eventSink ?? engine.firstInstrument?.eventSink
    else { return nil }
    return (engine, sink)
  }

  func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) throws -> Int {
    // Without an engine that runs, events are dropped.
    guard let (engine, sink) = player else { return events.count }
    let (base, now) = (engine.timeBase, engine.nextTime)
    return try buffer.withLock { buffer in
      buffer.removeAll()
      for index in events.indices {
        let event = events[index]
        let time = base.map { max(.zero, $0.time(at: event.time)) } ?? now
        buffer.append(event.moved(to: time), payloads: payloads)
      }
      return try sink.send(buffer.events.span, payloads: buffer.payloads.span)
    }
  }

  func cancel(from time: HostTime) {
    guard let (engine, sink) = player else { return }
    sink.cancel(from: engine.timeBase.map { max(.zero, $0.time(at: time)) } ?? engine.nextTime)
  }

  /// The outlet for a sequence or a track.
  ///
  /// - Parameters:
  ///   - engine: The engine whose first instrument plays; nil for the node.
  ///   - node: The instrument.
  /// - Returns: The outlet.
  static func outlet(_ engine: AVAudioEngine?, node: AVAudioNode? = nil) -> TrackOutlet {
    let sink = EngineTrackSink(engine, node: node)
    return TrackOutlet(
      openSink: { EngineTrackSink(unsafe sink.engine, node: unsafe sink.node) },
      startTime: { time in sink.startTime(atOrAfter: time) },
      slices: EngineSliceSink.slices(engine, node: node))
  }

  /// Events that are sent later than this may be late, in nanoseconds.
  private static let lead: Int64 = 10_000_000

  private func startTime(atOrAfter time: HostTime) -> HostTime {
    guard let (engine, _) = player, let base = engine.timeBase else { return time }
    let rendered = engine.nextTime.advanced(saturating: Self.lead)
    return max(time, base.hostTime(of: rendered))
  }
}
