// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Metronome with one mono output.
///
/// Clicks start exactly at their frame.
///
/// The metronome also receives events: each note-on makes a click, with the velocity as its level.
/// Key 34, the metronome bell of General MIDI 2, and all higher keys play the accent, which is a
/// major third higher.
///
/// - Note: Call `click`, `send` and `cancel` on the event thread; the sound is made on the render
///   thread.
@safe
public final class MetronomeUnit: ProcessingUnit, EventSink {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  private let framesPerSecond: SampleRate
  private let clicks = FrameQueue<MetronomeClick>(minimumCapacity: 256)
  private var writer: FrameQueueWriter<MetronomeClick>
  private let kernel: KernelBox<MetronomeKernel>

  /// Creates a metronome.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - rate: the sample rate.
  public init(name: String = "metronome", rate: SampleRate) {
    self.name = name
    self.rate = rate
    framesPerSecond = rate
    writer = clicks.makeWriter()
    kernel = unsafe KernelBox(
      MetronomeKernel(rate: rate, clicks: clicks.makeReader()), MetronomeKernel.function)
  }

  /// The metronome does not have inputs; it receives events.
  public var inputChannelCounts: [Int] { [] }

  /// The channel count of each output: one mono bus.
  public var outputChannelCounts: [Int] { [1] }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// Schedules a click.
  ///
  /// - Parameters:
  ///   - frame: the start of the click. A click in the past sounds immediately.
  ///   - isAccented: true for a higher click, as on the first beat of a bar.
  ///   - level: a linear factor; values are limited to 0…1, and NaN is 0.
  /// - Returns: true if the click was scheduled; false if 256 clicks are already waiting.
  public func click(at frame: SampleTime, isAccented: Bool = false, level: Float = 1) -> Bool {
    let level = level.isNaN ? 0 : min(1, max(0, level))
    return writer.push(MetronomeClick(level: level, isAccented: isAccented), frame: frame.frames)
  }

  /// Schedules a click for each note-on, and returns the number of events accepted, counted from
  /// the first event.
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

  /// Removes the clicks that are due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: framesPerSecond.frame(at: time).frames)
  }

  /// The number of clicks that were scheduled too late and played at the start of the next quantum.
  ///
  /// - Note: Any thread.
  public var lateClickCount: Int { kernel.pointee.lateCount.load(ordering: .relaxed) }
}
