// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Realtime

/// A unit made of a program's own kernel: an effect, a generator or an instrument, with parameters
/// that the control side and tracks can move.
///
/// ```swift
/// let gain = KernelUnit(
///   Gain(), name: "gain", inputs: [2], outputs: [2],
///   parameters: [Parameter("gain", .factor, 0...4, initially: 1)], rate: .hertz48000)
/// try gain.parameters.set(0, to: 0.5)
/// ```
///
/// - Note: Control side; `send` and `cancel` are for the event thread. The sound is made on the
///   render thread.
@safe
public final class KernelUnit: ParametricUnit, PlayableUnit, SavableUnit {
  /// The unit's name, for messages, graphs and tracks.
  public let name: String
  /// The channels of each input bus.
  public let inputChannelCounts: [Int]
  /// The channels of each output bus.
  public let outputChannelCounts: [Int]
  /// The frames by which its output is behind its input.
  public let latency: Int
  /// The frames for which it may sound on once its inputs are silent.
  public let tail: Int
  /// The settings from which a saved graph restores it; nil if it cannot be saved.
  public let setup: UnitSetup?
  /// What can be set.
  public let parameters: ParameterSet
  private let sampleRate: SampleRate
  private let events = FrameQueue<Message>(minimumCapacity: 4096)
  private var writer: FrameQueueWriter<Message>
  private let kernel: KernelBox<UnitKernel>

  /// Makes a unit of a kernel.
  ///
  /// - Parameters:
  ///   - kernel: what it does.
  ///   - name: what it is called in messages, and by tracks.
  ///   - inputs: the channels of each input bus; none for a generator.
  ///   - outputs: the channels of each output bus; none for a tap.
  ///   - parameters: what can be set, in the order of their numbers.
  ///   - latency: the frames by which its output is behind its input.
  ///   - tail: the frames for which it may sound on once its inputs are silent.
  ///   - setup: what makes one like it, for a saved graph.
  ///   - rate: frames a second.
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

  /// Frames a second.
  public var rate: SampleRate? { sampleRate }

  /// The unit's kernel.
  public var step: RenderStep { kernel.step }

  /// Whether the last quantum that was rendered was silent.
  public var isSilent: Bool { kernel.pointee.wasSilent }

  /// Takes events in order, from the first, and says how many it had room for.
  ///
  /// Messages go to the kernel at their frame, changes of parameters to `parameters`; the rest is
  /// taken and left out.
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

  /// Forgets what is due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: sampleRate.frame(at: time).frames)
    parameters.cancel(from: time)
  }
}
