// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import MIDIMessages
internal import MusicalTime

/// The instrument of an engine that the program renders offline, as the destination of a track.
///
/// - Note: One thread at a time.
final class EngineSliceSink: SliceDestination {
  private let target: Target
  /// The nanoseconds from a time of the player to the same instant in the frames of the instrument.
  private var shift: Int64 = 0
  private var buffer = EventBuffer(capacity: 64, payloadCapacity: 4096)

  /// An engine with its first instrument, or a node with its engine.
  private final class Target: SliceHost {
    // Only read; weak references may be read on any thread.
    nonisolated(unsafe) private weak var owner: AVAudioEngine?
    nonisolated(unsafe) private weak var node: AVAudioNode?

    init(_ owner: AVAudioEngine?, _ node: AVAudioNode?) {
      unsafe self.owner = owner
      unsafe self.node = node
    }

    var engine: AVAudioEngine? { unsafe node?.engine ?? owner }

    var instrument: AVAudioNode? { unsafe node ?? owner?.firstInstrument }

    var sliceRate: SampleRate? { engine?.offlineRate }

    func add(_ listener: any SliceListener) { engine?.slices.add(listener) }

    func remove(_ listener: any SliceListener) { engine?.slices.remove(listener) }
  }

  private init(_ target: Target) {
    self.target = target
  }

  /// The destination of a sequence or a track.
  ///
  /// - Parameters:
  ///   - engine: The engine whose first instrument plays; nil for the node.
  ///   - node: The instrument.
  /// - Returns: The destination.
  static func slices(_ engine: AVAudioEngine?, node: AVAudioNode?) -> TrackOutlet.Slices {
    let target = Target(engine, node)
    return TrackOutlet.Slices(target) { EngineSliceSink(target) }
  }

  func begin(at time: ReferenceTime) {
    guard let engine = target.engine, let node = target.instrument else { return }
    shift = engine.sliceStart(of: node).nanoseconds - time.nanoseconds
  }

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    // Without an engine that runs, events are dropped.
    guard let sink else { return events.count }
    buffer.removeAll()
    for index in events.indices {
      let event = events[index]
      buffer.append(event.moved(to: place(event.time)), payloads: payloads)
    }
    let (moved, bytes) = (buffer.events, buffer.payloads)
    return try sink.send(moved.span, payloads: bytes.span)
  }

  func cancel(from time: ReferenceTime) {
    sink?.cancel(from: place(time))
  }

  private var sink: (any EventSink<ReferenceTime> & Sendable)? {
    target.engine?.isRunning == true ? target.instrument?.eventSink : nil
  }

  /// A time of the player in the frames of the instrument.
  private func place(_ time: ReferenceTime) -> ReferenceTime {
    max(.zero, time.advanced(saturating: shift))
  }
}
