// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Glibc
internal import Realtime
internal import Synchronization

/// What the render thread and the control side share.
final class StreamStatus: Sendable {
  /// What the control side asks for.
  enum Order: UInt8 {
    case play
    case drain
    case drop
  }

  let order = Atomic<UInt8>(Order.play.rawValue)
  let position = Atomic<Int64>(0)
  /// When the position was reached, in nanoseconds of host time.
  let positionTime = Atomic<Int64>(0)
  let xrunCount = Atomic<Int>(0)
  let delay = Atomic<Int>(0)
  let clampedSampleCount = Atomic<Int>(0)
  let faultySampleCount = Atomic<Int>(0)
  /// Whether the device is gone and may return.
  let isAway = Atomic<Bool>(false)
  /// The negative error number that ended the stream, or 0.
  let failure = Atomic<Int32>(0)
}

/// The render thread's half of an output: a device, a kernel, and the loop between them.
///
/// The buffer is first filled with silence, all but one period, so that from the start on a period
/// is rendered each time one has sounded; after an xrun it begins so again. Nothing is rendered in
/// a burst, and whoever sends events needs to be ahead by little more than a period.
final class OutputStream: @unchecked Sendable {
  // Unchecked: after `init` only the render thread touches it, until it has been joined.

  /// Nil while the device is away.
  private var pcm: PCMHandle?
  private let device: String
  private let agreement: PCMAgreement
  private let plan: RenderPlan
  private let status: StreamStatus
  private var kernel: DeviceKernel
  /// Seconds for which a device that went away is waited for.
  private let patience: Int
  /// When ALSA's `null`, which takes everything at once, is to take the next period.
  private var nullDeadline: Int64 = 0

  /// How long a device may take nothing before it counts as gone, in milliseconds.
  private static let longestPause: Int32 = 5000

  init(
    _ pcm: consuming PCMHandle, _ agreement: PCMAgreement, _ plan: RenderPlan,
    _ status: StreamStatus, patience: Int
  ) {
    device = pcm.name
    self.pcm = consume pcm
    self.agreement = agreement
    self.plan = plan
    self.status = status
    self.patience = patience
    kernel = DeviceKernel(plan, agreement)
  }

  /// Renders and writes until it is told to end, or the device is gone.
  func run() {
    nullDeadline = DeadlineWait.now
    var code = writeHead()
    while code == 0, order == .play {
      kernel.fill(frameCount: agreement.periodFrames)
      publish()
      code = writePeriod()
      if code != 0 { code = waitForReturn(after: code) }
      status.delay.store(pcm?.delay() ?? 0, ordering: .relaxed)
    }
    if code == 0, order == .drain { code = drain() }
    status.failure.store(code, ordering: .releasing)
    pcm?.drop()
  }

  private var order: StreamStatus.Order {
    StreamStatus.Order(rawValue: status.order.load(ordering: .acquiring)) ?? .drop
  }

  private func publish() {
    // The time first: whoever reads it after the position sees one that is no earlier.
    status.positionTime.store(DeadlineWait.now, ordering: .relaxed)
    status.position.store(kernel.position, ordering: .releasing)
    status.clampedSampleCount.store(kernel.guardKernel.clampedSampleCount, ordering: .relaxed)
    status.faultySampleCount.store(kernel.guardKernel.faultySampleCount, ordering: .relaxed)
  }

  /// Writes the kernel's period to the end; returns 0 or the error that the device is lost with.
  private func writePeriod() -> Int32 {
    if pcm?.isNull == true { waitForNull() }
    var done = 0
    var waited: Int32 = 0
    while done < agreement.periodFrames, order != .drop {
      let frames = unsafe kernel.frames + done * frameBytes
      let written = unsafe pcm?.write(frames, count: agreement.periodFrames - done) ?? -Int(ENODEV)
      if written > 0 {
        done += written
        waited = 0
      } else if written == 0 || written == -Int(EAGAIN) {
        guard waited < Self.longestPause else { return -ETIMEDOUT }
        waited += 100
        let code = pcm?.wait(milliseconds: 100) ?? -ENODEV
        if code < 0, !Self.isPassing(code) { return code }
      } else {
        let code = recover(from: Int32(clamping: written))
        guard code == 0 else { return code }
      }
    }
    return 0
  }

  /// Waits for a device that went away, and gives it the period that it was given last, which may
  /// not have sounded and holds events; returns 0 or the error that the device is lost with.
  private func waitForReturn(after code: Int32) -> Int32 {
    var code = code
    // One that returns and takes nothing is waited for no longer than one that stays away.
    let deadline = DeadlineWait.now + Int64(patience) * 1_000_000_000
    while code != 0, isBack(before: deadline) {
      code = writeHead()
      if code == 0 { code = writePeriod() }
    }
    return code
  }

  /// Waits for a device that went away; whether it is back and takes what it took before.
  private func isBack(before deadline: Int64) -> Bool {
    status.isAway.store(patience > 0, ordering: .relaxed)
    defer { status.isAway.store(false, ordering: .relaxed) }
    // The card goes, and its number is free for its return, once nobody holds it.
    pcm = nil
    while DeadlineWait.now < deadline, order == .play {
      usleep(100_000)
      if reopen() { return true }
    }
    return false
  }

  private func reopen() -> Bool {
    do {
      let opened = try PCMHandle(device)
      let periods = agreement.bufferFrames / agreement.periodFrames
      let agreed = try opened.negotiate(
        hertz: agreement.hertz, channelCount: agreement.channelCount,
        periodFrames: agreement.periodFrames, periodCount: periods, format: agreement.format)
      guard agreed == agreement else { return false }
      pcm = consume opened
      return true
    } catch {
      // Not there yet, or held by whoever was quicker.
      return false
    }
  }

  private var frameBytes: Int { agreement.channelCount * agreement.format.byteCount }

  /// Whether an error is an xrun, a suspension or a signal, which the next write deals with.
  private static func isPassing(_ code: Int32) -> Bool {
    code == -EPIPE || code == -ESTRPIPE || code == -EINTR
  }

  /// Makes the device ready again and gives it its head of silence.
  private func recover(from code: Int32) -> Int32 {
    let failure = pcm?.recover(from: code) ?? -ENODEV
    guard failure == 0, code != -EINTR else { return failure }
    status.xrunCount.add(1, ordering: .relaxed)
    return writeHead()
  }

  /// Fills the buffer with silence, all but one period.
  private func writeHead() -> Int32 {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: agreement.periodFrames * frameBytes, alignment: 64
    ) { silence in
      guard let base = silence.baseAddress else { return 0 }
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: silence.count)
      for _ in 1..<agreement.bufferFrames / agreement.periodFrames {
        // What does not fit is left out: the buffer is full then.
        let written = unsafe pcm?.write(base, count: agreement.periodFrames) ?? -Int(ENODEV)
        if written < 0, written != -Int(EAGAIN) { return Int32(clamping: written) }
      }
      return 0
    }
  }

  /// ALSA's `null` has no clock: periods go out at the machine's.
  ///
  /// A pause longer than the buffer, as of a stopped process, counts as an xrun.
  private func waitForNull() {
    nullDeadline += nanoseconds(ofFrames: agreement.periodFrames)
    if DeadlineWait.now - nullDeadline > nanoseconds(ofFrames: agreement.bufferFrames) {
      status.xrunCount.add(1, ordering: .relaxed)
      nullDeadline = DeadlineWait.now
    }
    var time = timespec(
      tv_sec: Int(nullDeadline / 1_000_000_000), tv_nsec: Int(nullDeadline % 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  private func nanoseconds(ofFrames count: Int) -> Int64 {
    Int64(count) * 1_000_000_000 / Int64(agreement.hertz)
  }

  /// Lets all that was rendered sound, by writing a buffer of silence behind it.
  ///
  /// `snd_pcm_drain` would have to wait without a limit, or, without blocking, never says that it
  /// is done.
  private func drain() -> Int32 {
    kernel.clear()
    var code: Int32 = 0
    for _ in 0..<agreement.bufferFrames / agreement.periodFrames where code == 0 {
      code = writePeriod()
    }
    return code
  }
}
