// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Glibc
public import MusicalTime
internal import Realtime

/// Sound recorded from an ALSA device, which is read in periods.
///
/// - Note: One thread at a time.
public final class ALSAInput: SoundInput {
  /// The settings that a program requests from a device.
  public struct Wishes: Hashable, Sendable {
    /// The ALSA name of the device, such as `default`, `hw:0,0` or `plughw:0,0`; `default` by
    /// default.
    public var device = "default"
    /// The number of channels; 2 by default.
    public var channelCount = 2
    /// The number of frames per period, 16…65 536; 1024 by default.
    ///
    /// The device may use a different number.
    public var periodFrames = 1024
    /// The number of periods in the buffer, 2…64; 8 by default.
    ///
    /// The device may use a different number.
    public var periodCount = 8
    /// The time in seconds to wait for a device that is unplugged, 0…3600; 0 by default.
    public var patience = 0

    /// Creates the default settings.
    public init() {}
  }

  /// The ALSA name of the device.
  public let device: String
  /// The sample rate of the device.
  public let rate: SampleRate
  /// The number of channels.
  public let channelCount: Int
  /// The number of frames per period that the device uses.
  public let periodFrames: Int
  /// The number of times that sound was lost, because it was read too late or the device was
  /// unplugged.
  public private(set) var xrunCount = 0
  /// True while the program waits for a device that was unplugged.
  ///
  /// Reads then return an empty result.
  public private(set) var isAway = false
  /// The relation of the input's frames to the host times at which the device recorded them; nil
  /// before the first period.
  ///
  /// Lost frames are not counted, so the clock restarts after each loss.
  public var clock: SampleClock? { SampleClock(follower, delay: 0) }

  private var follower: PeriodFollower
  /// Its clock in the list of running streams.
  private let listed = StreamClock()
  /// The frames that were read, and the last frame that the device had recorded when it was last
  /// checked.
  private var position: Int64 = 0
  private var seen: Int64 = 0
  /// The time of the next period on a device without a clock (ALSA's `null`); nil on others.
  private var deadline: HostTime?
  /// Nil while the device is unplugged.
  private var pcm: PCMHandle?
  private let patience: Int
  /// The end of the wait for the device, and the error with which it was lost.
  private var waiting = (until: Int64(0), code: Int32(0))
  private let agreement: PCMAgreement
  private var bytes: [UInt8]

  /// Opens a device, sets its format, rate and buffer, and starts it.
  ///
  /// - Throws: `DeviceError` if the device cannot be opened or does not support the settings.
  public init(rate: SampleRate, wishes: Wishes = Wishes()) throws(DeviceError) {
    let pcm = try PCMHandle(wishes.device, .capture)
    agreement = try pcm.negotiate(
      hertz: Int(rate.hertz), channels: .exactly(wishes.channelCount),
      periodFrames: min(65_536, max(16, wishes.periodFrames)),
      periodCount: min(64, max(2, wishes.periodCount)))
    device = wishes.device
    self.rate = rate
    patience = min(3600, max(0, wishes.patience))
    follower = PeriodFollower(nominalRate: rate)
    channelCount = wishes.channelCount
    periodFrames = agreement.periodFrames
    let frameBytes = agreement.channelCount * agreement.format.byteCount
    bytes = Array(repeating: 0, count: agreement.periodFrames * frameBytes)
    let code = pcm.start()
    guard code == 0 else {
      throw .cannotOpen(wishes.device, step: "start", code: code, words: PCMHandle.takeWords())
    }
    if pcm.isNull { deadline = HostTime(nanoseconds: DeadlineWait.now) }
    self.pcm = consume pcm
    StreamClock.begin(RunningStream(device, .capture, rate: rate, agreement, listed))
  }

  deinit {
    listed.end()
  }

  /// Returns the next frames as interleaved samples, with full scale at ±1.
  ///
  /// Waits for up to 100 ms.
  ///
  /// - Returns: At most one period; empty if no frames were received in that time.
  /// - Throws: `DeviceError.lost` if the device was unplugged or failed, and has not returned
  ///   within `Wishes.patience`.
  public func read() throws(DeviceError) -> [Float] {
    guard !isAway else {
      try lookForReturn()
      return []
    }
    guard waitForDeadline() else { return [] }
    // If the device never makes us wait, its position is read once a second.
    if position - seen >= Int64(rate.hertz) { follow(pcm?.moment()) }
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe pcm?.read($0, count: periodFrames) ?? 0 } ?? 0
    }
    if count > 0 {
      position += Int64(count)
      return samples(frameCount: count)
    }
    if count < 0, count != -Int(EAGAIN) {
      try recover(from: Int32(clamping: count))
      return []
    }
    let (code, moment) = pcm?.waitForStep(milliseconds: 100) ?? (-ENODEV, nil)
    if code < 0, code != -EINTR { try recover(from: code) }
    follow(moment)
    return []
  }

  /// Waits at most 100 ms for the time of the next period, on a device that returns any number of
  /// periods at once.
  ///
  /// A pause longer than the buffer loses sound, as on other devices.
  ///
  /// - Returns: False if that time is later.
  private func waitForDeadline() -> Bool {
    guard let begin = deadline?.nanoseconds else { return true }
    let now = DeadlineWait.now
    let end = begin + nanoseconds(ofFrames: periodFrames)
    guard end - now <= 100_000_000 else {
      DeadlineWait.sleep(until: now + 100_000_000)
      return false
    }
    DeadlineWait.sleep(until: end)
    let isLate = now - end > nanoseconds(ofFrames: agreement.bufferFrames)
    if isLate {
      xrunCount += 1
      follower.reset()
    }
    deadline = HostTime(nanoseconds: isLate ? now : end)
    return true
  }

  private func nanoseconds(ofFrames count: Int) -> Int64 {
    Int64(count) * 1_000_000_000 / Int64(rate.hertz)
  }

  /// Notes the position of the device.
  private func follow(_ moment: PCMHandle.Moment?) {
    guard let moment else { return }
    let taken = position + Int64(max(moment.room, moment.delay))
    // The position may not have changed since the last call.
    if follower.timeline == nil || taken > seen {
      follower.update(frames: taken, at: moment.time)
      listed.write(clock)
    }
    seen = taken
  }

  private func recover(from code: Int32) throws(DeviceError) {
    if code == -EPIPE || code == -ESTRPIPE {
      xrunCount += 1
      follower.reset()
    }
    guard pcm?.recover(from: code) == 0, code == -EINTR || pcm?.start() == 0 else {
      guard patience > 0 else { throw .lost(device, code: code) }
      // The card and its number are released only when the device is closed.
      pcm = nil
      follower.reset()
      isAway = true
      waiting = (DeadlineWait.now + Int64(patience) * 1_000_000_000, code)
      return
    }
  }

  /// Waits a tenth of a second for the device to return with the same settings.
  private func lookForReturn() throws(DeviceError) {
    usleep(100_000)
    guard reopen() else {
      guard DeadlineWait.now < waiting.until else { throw .lost(device, code: waiting.code) }
      return
    }
    isAway = false
    xrunCount += 1
  }

  private func reopen() -> Bool {
    do {
      let opened = try PCMHandle(device, .capture)
      let agreed = try opened.negotiate(
        hertz: agreement.hertz, channels: .exactly(agreement.channelCount),
        periodFrames: agreement.periodFrames,
        periodCount: agreement.bufferFrames / agreement.periodFrames, format: agreement.format)
      guard agreed == agreement, opened.start() == 0 else { return false }
      pcm = consume opened
      return true
    } catch {
      // The device is not available yet, or another program has opened it.
      return false
    }
  }

  private func samples(frameCount: Int) -> [Float] {
    let count = frameCount * channelCount
    return unsafe bytes.withUnsafeBytes { buffer in
      switch agreement.format {
      case .float32:
        (0..<count).map { unsafe buffer.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      case .integer32:
        (0..<count).map {
          Float(unsafe buffer.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)) * 0x1p-31
        }
      case .integer24:
        // The most significant byte is undefined.
        (0..<count).map {
          Float(unsafe buffer.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) << 8) * 0x1p-31
        }
      case .packed24:
        (0..<count).map { unsafe Self.sample24(buffer, at: 3 * $0) }
      case .integer16:
        (0..<count).map {
          Float(unsafe buffer.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) * 0x1p-15
        }
      }
    }
  }

  /// A sample of three bytes, least significant first.
  private static func sample24(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Float {
    let low = unsafe Int32(bytes[place]) << 8 | Int32(bytes[place + 1]) << 16
    let value = unsafe low | Int32(bytes[place + 2]) << 24
    return Float(value) * 0x1p-31
  }
}
