// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Adds stereo strips to one stereo bus: gain, pan, mute and a meter for each.
///
/// A change is reached in 5 ms in a straight line, so that nothing clicks. A strip's meter stands
/// behind its gain.
///
/// - Note: Control side; the sound is made on the render thread.
@safe
public final class MixerUnit: ProcessingUnit {
  /// What the control side has set for a strip.
  public struct Strip: Hashable, Sendable {
    /// A linear factor, 0…16 (+24 dB), held within that range; 1 leaves the signal alone.
    public var gain: Float = 1 {
      didSet { gain = gain.isNaN ? 0 : min(16, max(0, gain)) }
    }
    /// Where the sound stands, −1 (left) to 1 (right), held within that range; 0 is the middle.
    public var pan: Float = 0 {
      didSet { pan = pan.isNaN ? 0 : min(1, max(-1, pan)) }
    }
    /// How pan becomes two gains.
    public var law: PanLaw = .balance
    /// Whether the strip is silent.
    public var isMuted = false

    /// The two factors that the sound is multiplied by.
    public var gains: (left: Float, right: Float) {
      guard !isMuted else { return (0, 0) }
      let sides = law.gains(at: pan)
      return (gain * sides.left, gain * sides.right)
    }
  }

  /// What the unit is called.
  public let name: String
  /// The number of strips.
  public let stripCount: Int
  private let kernel: UnsafeMutablePointer<MixerKernel>
  private var strips: [Strip]

  /// Creates a mixer whose strips all stand at gain 1, in the middle.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - stripCount: the number of stereo inputs, 1…1024.
  ///   - rate: frames a second.
  public init(name: String = "mixer", stripCount: Int, rate: SampleRate) {
    precondition((1...1024).contains(stripCount), "a mixer has 1 to 1024 strips")
    self.name = name
    self.stripCount = stripCount
    strips = Array(repeating: Strip(), count: stripCount + 1)
    unsafe kernel = .allocate(capacity: 1)
    unsafe kernel.initialize(to: MixerKernel(stripCount: stripCount, rate: rate))
  }

  deinit {
    unsafe kernel.deinitialize(count: 1).deallocate()
  }

  /// One stereo bus a strip.
  public var inputChannelCounts: [Int] { Array(repeating: 2, count: stripCount) }

  /// One stereo bus: the sum.
  public var outputChannelCounts: [Int] { [2] }

  /// The mixer's kernel.
  public var step: RenderStep {
    unsafe RenderStep(kernel: kernel, function: MixerKernel.function)
  }

  /// A strip, counted from 0.
  public subscript(index: Int) -> Strip {
    get { strips[index] }
    set {
      precondition(index < stripCount, "a mixer has no such strip")
      set(index, newValue)
    }
  }

  /// The strip that the sum goes through.
  public var sum: Strip {
    get { strips[stripCount] }
    set { set(stripCount, newValue) }
  }

  /// What a strip's meter shows, left and right.
  public func level(of index: Int) -> (left: Level, right: Level) {
    precondition((0..<stripCount).contains(index), "a mixer has no such strip")
    return unsafe (
      kernel.pointee.level(channel: 0, strip: index), kernel.pointee.level(channel: 1, strip: index)
    )
  }

  /// What the meter of the sum shows, left and right.
  public var sumLevel: (left: Level, right: Level) {
    unsafe (
      kernel.pointee.level(channel: 0, strip: stripCount),
      kernel.pointee.level(channel: 1, strip: stripCount)
    )
  }

  private func set(_ index: Int, _ strip: Strip) {
    strips[index] = strip
    let gains = strip.gains
    unsafe kernel.pointee.setGains(gains.left, gains.right, strip: index)
  }
}
