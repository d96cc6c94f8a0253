// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// Divides a plan's quanta into periods of a device, limited to full scale and in the device's
/// format.
@safe
struct DeviceKernel: ~Copyable {
  /// One period, interleaved.
  let frames: UnsafeMutableRawPointer
  /// The first frame that has not been rendered.
  private(set) var position: Int64
  private(set) var guardKernel = GuardKernel()
  private let plan: Unmanaged<RenderPlan>
  private let output: Bus
  private let format: SampleFormat
  /// The number of the device's channels, and for each channel of the plan the one on which it is
  /// played.
  ///
  /// The others stay silent.
  private let channelCount: Int
  private let places: UnsafeMutableBufferPointer<Int>
  /// The number of frames of the last quantum that were used.
  private var taken = AudioFormat.quantum

  /// Creates a kernel; the caller must retain the plan.
  init(
    _ plan: RenderPlan, _ agreement: PCMAgreement, _ channels: ChannelMap? = nil,
    from frame: Int64 = 0
  ) {
    position = frame
    unsafe self.plan = Unmanaged.passUnretained(plan)
    output = plan.output
    format = agreement.format
    channelCount = agreement.channelCount
    let channels = channels ?? ChannelMap(channelCount: agreement.channelCount)
    unsafe places = .allocate(capacity: channels.channelCount)
    _ = unsafe places.initialize(from: channels.places)
    unsafe frames = .allocate(byteCount: agreement.periodBytes, alignment: 64)
    unsafe frames.initializeMemory(as: UInt8.self, repeating: 0, count: agreement.periodBytes)
  }

  deinit {
    unsafe frames.deallocate()
    unsafe places.deallocate()
  }

  /// Renders the first frames of a period.
  @_noAllocation @_noLocks
  mutating func fill(frameCount: Int) {
    var done = 0
    while done < frameCount {
      if taken == AudioFormat.quantum { renderQuantum() }
      let step = min(AudioFormat.quantum &- taken, frameCount &- done)
      for channel in 0..<output.channelCount {
        unsafe store(
          output.channel(channel) + taken, at: done &* channelCount &+ places[channel], count: step)
      }
      taken &+= step
      done &+= step
    }
  }

  @_noAllocation @_noLocks
  private mutating func renderQuantum() {
    let start = position
    unsafe plan._withUnsafeGuaranteedRef { $0.render(at: SampleTime(frames: start)) }
    guardKernel.guardBus(output)
    position &+= Int64(truncatingIfNeeded: AudioFormat.quantum)
    taken = 0
  }

  /// Stores samples of one channel from a position in the period.
  @_noAllocation @_noLocks
  private func store(_ samples: UnsafePointer<Float>, at place: Int, count: Int) {
    switch format {
    case .float32:
      let target = unsafe frames.assumingMemoryBound(to: Float.self) + place
      for frame in 0..<count { unsafe target[frame &* channelCount] = samples[frame] }
    case .integer32:
      let target = unsafe frames.assumingMemoryBound(to: Int32.self) + place
      for frame in 0..<count {
        unsafe target[frame &* channelCount] = Self.integer32(samples[frame])
      }
    case .integer24:
      let target = unsafe frames.assumingMemoryBound(to: Int32.self) + place
      for frame in 0..<count {
        unsafe target[frame &* channelCount] = Self.integer24(samples[frame])
      }
    case .packed24:
      let target = unsafe frames.assumingMemoryBound(to: UInt8.self) + 3 &* place
      for frame in 0..<count {
        unsafe Self.pack(Self.integer24(samples[frame]), target + 3 &* frame &* channelCount)
      }
    case .integer16:
      let target = unsafe frames.assumingMemoryBound(to: Int16.self) + place
      for frame in 0..<count {
        unsafe target[frame &* channelCount] = Self.integer16(samples[frame])
      }
    }
  }

  /// The sample times 2¹⁵, rounded to the nearest, at most 32767; the guard has limited it to ±1.
  @_noAllocation @_noLocks
  private static func integer16(_ sample: Float) -> Int16 {
    // Adding 1.5 · 2²³ moves the rounded integer to the lowest bits of the sum.
    let sum = sample * 32768 + 12_582_912
    let integer = Int32(bitPattern: sum.bitPattern &- Float(12_582_912).bitPattern)
    return Int16(truncatingIfNeeded: min(32767, integer))
  }

  /// The sample times 2²³, rounded to the nearest, at most 2²³ − 1.
  @_noAllocation @_noLocks
  private static func integer24(_ sample: Float) -> Int32 {
    // Within ±0.5 a float's 24 bits are exact; the rest is rounded as above.
    let sum = Double(sample) * 8_388_608 + 6_755_399_441_055_744
    let integer = Int64(bitPattern: sum.bitPattern &- Double(6_755_399_441_055_744).bitPattern)
    return Int32(truncatingIfNeeded: min(8_388_607, integer))
  }

  /// Stores the three lower bytes, least significant first.
  @_noAllocation @_noLocks
  private static func pack(_ value: Int32, _ target: UnsafeMutablePointer<UInt8>) {
    unsafe target[0] = UInt8(truncatingIfNeeded: value)
    unsafe target[1] = UInt8(truncatingIfNeeded: value >> 8)
    unsafe target[2] = UInt8(truncatingIfNeeded: value >> 16)
  }

  /// The sample times 2³¹, rounded to the nearest, at most 2³¹ − 1.
  @_noAllocation @_noLocks
  private static func integer32(_ sample: Float) -> Int32 {
    // As above, with 1.5 · 2⁵² in double precision.
    let sum = Double(sample) * 2_147_483_648 + 6_755_399_441_055_744
    let magic = Double(6_755_399_441_055_744).bitPattern
    let integer = Int64(bitPattern: sum.bitPattern &- magic)
    return Int32(truncatingIfNeeded: min(2_147_483_647, integer))
  }
}
