// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Clicks on the beat, on one mono bus, to the frame.
///
/// It is a sink of events: each note-on is a click, as loud as its velocity. Key 34, the metronome
/// bell of General MIDI 2, and all keys above it give the accent, a major third higher.
///
/// - Note: `click`, `send` and `cancel` are for the event thread; the sound is made on the render
///   thread.
@safe
public final class MetronomeUnit: ProcessingUnit, EventSink {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  private let framesPerSecond: SampleRate
  private let clicks = FrameQueue<MetronomeClick>(minimumCapacity: 256)
  private var writer: FrameQueueWriter<MetronomeClick>
  private let kernel: KernelBox<MetronomeKernel>

  /// Creates a metronome.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - rate: frames a second.
  public init(name: String = "metronome", rate: SampleRate) {
    self.name = name
    self.rate = rate
    framesPerSecond = rate
    writer = clicks.makeWriter()
    kernel = unsafe KernelBox(
      MetronomeKernel(rate: rate, clicks: clicks.makeReader()), MetronomeKernel.function)
  }

  /// None: it hears events, not sound.
  public var inputChannelCounts: [Int] { [] }

  /// One mono bus.
  public var outputChannelCounts: [Int] { [1] }

  /// The metronome's kernel.
  public var step: RenderStep { kernel.step }

  /// Clicks at a frame.
  ///
  /// - Parameters:
  ///   - frame: where the click begins; one that is past clicks at once.
  ///   - isAccented: whether it is the first of a bar.
  ///   - level: a linear factor, held within 0…1.
  /// - Returns: false where 256 clicks are waiting already.
  public func click(at frame: SampleTime, isAccented: Bool = false, level: Float = 1) -> Bool {
    let level = level.isNaN ? 0 : min(1, max(0, level))
    return writer.push(MetronomeClick(level: level, isAccented: isAccented), frame: frame.frames)
  }

  /// Takes events in order, from the first, and says how many it had room for.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      guard case .message(let message) = events[index].payload, message.status & 0xF0 == 0x90,
        message.data2 > 0
      else { continue }
      let frame = framesPerSecond.frame(at: events[index].time)
      let level = Float(message.data2) / 127
      guard click(at: frame, isAccented: message.data1 >= 34, level: level) else { return index }
    }
    return events.count
  }

  /// Forgets the clicks due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: framesPerSecond.frame(at: time).frames)
  }

  /// Clicks that came after their frame and sounded at the next quantum.
  ///
  /// - Note: Any thread.
  public var lateClickCount: Int { kernel.pointee.lateCount.load(ordering: .relaxed) }
}
