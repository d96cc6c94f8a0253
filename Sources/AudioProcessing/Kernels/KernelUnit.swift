// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime

/// A unit made from your own kernel: an effect, generator or instrument, with parameters that your
/// program and tracks can change.
///
/// ```swift
/// let gain = KernelUnit(
///   Gain(), name: "gain", inputs: [2], outputs: [2],
///   parameters: [Parameter("gain", .factor, 0...4, initially: 1)], rate: .hertz48000)
/// try gain.parameters.set(0, to: 0.5)
/// ```
///
/// - Note: Use the unit on one thread at a time, but call `send` and `cancel` on the event thread
///   only. The render thread makes the sound.
@safe
public final class KernelUnit: ParametricUnit, PlayableUnit, SavableUnit {
  /// The unit's name, for messages, graphs and tracks.
  public let name: String
  /// The channel count of each input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output bus.
  public let outputChannelCounts: [Int]
  /// The delay from input to output, in frames.
  public let latency: Int
  /// The number of frames for which the unit can continue to sound after its inputs are silent.
  public let tail: Int
  /// The settings from which a saved graph restores the unit; nil if the unit cannot be saved.
  public let setup: UnitSetup?
  /// The parameters.
  public let parameters: ParameterSet
  private let sampleRate: SampleRate
  private let events = FrameQueue<Message>(minimumCapacity: 4096)
  private var writer: FrameQueueWriter<Message>
  private let kernel: KernelBox<UnitKernel>

  /// Creates a unit from a kernel.
  ///
  /// - Parameters:
  ///   - kernel: the kernel, which makes or processes the sound.
  ///   - name: the unit's name, for messages, graphs and tracks.
  ///   - inputs: the channel count of each input bus; empty for a generator.
  ///   - outputs: the channel count of each output bus; empty for a tap.
  ///   - parameters: the parameters, in the order of their indices.
  ///   - latency: the delay from input to output, in frames.
  ///   - tail: the number of frames for which the unit can continue to sound after its inputs are
  ///     silent.
  ///   - setup: the settings from which a saved graph creates the unit; nil if the unit cannot be
  ///     saved.
  ///   - rate: the sample rate.
  public init(
    _ kernel: some SoundKernel, name: String, inputs: [Int] = [], outputs: [Int] = [2],
    parameters: [Parameter] = [], latency: Int = 0, tail: Int = 0, setup: UnitSetup? = nil,
    rate: SampleRate
  ) {
    self.name = name
    inputChannelCounts = inputs
    outputChannelCounts = outputs
    self.latency = latency
    self.tail = tail
    self.setup = setup
    sampleRate = rate
    self.parameters = ParameterSet(parameters, rate: rate, unit: name)
    writer = events.makeWriter()
    self.kernel = unsafe KernelBox(
      UnitKernel(kernel, self.parameters.bank, events.makeReader(), rate: rate),
      UnitKernel.function)
  }

  /// The sample rate.
  public var rate: SampleRate? { sampleRate }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// True if the last rendered quantum was silent: below −100 dBFS.
  public var isSilent: Bool { kernel.pointee.wasSilent }

  /// Queues events, and returns the number of events accepted, counted from the first.
  ///
  /// Messages are passed to the kernel at their frame, and changes of parameters to `parameters`.
  /// Other events are accepted and ignored.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      let event = events[index]
      switch event.payload {
      case .message(let message):
        let frame = sampleRate.frame(at: event.time).frames
        guard writer.push(message, frame: frame) else { return index }
      case .parameter:
        let one = events.extracting(index..<index + 1)
        guard parameters.send(one, payloads: payloads) == 1 else { return index }
      default: break
      }
    }
    return events.count
  }

  /// Removes queued events that are due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: sampleRate.frame(at: time).frames)
    parameters.cancel(from: time)
  }
}
