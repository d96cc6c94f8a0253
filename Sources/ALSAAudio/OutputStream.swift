// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The writing half of an output: a device, its clock, and the loop that writes to it.
///
/// The buffer is first filled with silence, except for one period, so that from the start on a
/// period is rendered each time one has been played. The same happens after an xrun. Rendering is
/// never done in bursts, and events must be ahead by little more than a period.
final class OutputStream: @unchecked Sendable {
  // Unchecked: after `init` only the writing thread uses it, until that has ended.

  /// Nil while the device is unplugged.
  private var pcm: PCMHandle?
  private let device: String
  private var agreement: PCMAgreement
  private let renderer: PeriodRenderer
  /// The queue into which another thread renders; nil if the writing thread renders.
  private let queue: PeriodQueue?
  private let status: StreamStatus
  /// The maximum number of periods in the buffer.
  private let mostPeriods: Int
  /// The number of xruns so far.
  private var dryCount = 0
  /// The seconds to wait for a device that is unplugged.
  private let patience: Int
  /// True if the device takes any amount at once: ALSA's `null`, or a file in front of it.
  private var isClockless = false
  /// The time at which a device without a clock takes the next period.
  private var nextDeadline: Int64 = 0
  /// The frames that the device took since its start, if it has never made us wait; otherwise nil.
  private var untimed: Int64? = 0
  /// The first frame of the plan that is played here.
  private let first: Int64
  /// The first frame of the plan that has not been written.
  private var written: Int64
  private var follower: PeriodFollower
  /// The frame that left the buffer when the device was last checked.
  private var seen: Int64
  /// The smoothed number of frames that the device holds beyond its buffer.
  private var held = 0.0

  /// The time without progress after which the device counts as lost, in milliseconds.
  static let longestPause: Int32 = 5000
  /// The largest step of the position of a device with a clock, in nanoseconds: the slowest
  /// kernel's tick.
  private static let longestStep: Int64 = 10_000_000

  init(
    _ pcm: consuming PCMHandle, agreement: PCMAgreement, rate: SampleRate,
    renderer: PeriodRenderer, queue: PeriodQueue?, status: StreamStatus, from frame: Int64,
    mostPeriods: Int = 0, patience: Int
  ) {
    device = pcm.name
    self.pcm = consume pcm
    self.agreement = agreement
    self.renderer = renderer
    self.queue = queue
    self.status = status
    self.mostPeriods = mostPeriods
    self.patience = patience
    // A queue begins with silence.
    written = queue == nil ? frame : frame - Int64(agreement.periodFrames)
    first = frame
    seen = frame
    follower = PeriodFollower(nominalRate: rate)
  }

  /// Writes until it is ended, or the device is lost.
  func run() {
    isClockless = pcm?.isNull == true
    var code = writeHead()
    while code == 0, let period = unsafe nextPeriod() {
      code = unsafe writePeriod(period)
      if code != 0, mayReturn(after: code) {
        code = unsafe waitForReturn(after: code, with: period)
      }
      queue?.pop()
      written += Int64(agreement.periodFrames)
      if code == 0 {
        status.hasPlayed.store(hasPlayed, ordering: .relaxed)
        follow()
      }
      // Stored last, so that the clock is already up to date.
      status.isAway.store(false, ordering: .releasing)
    }
    if code == 0, status.order == .drain { code = drain() }
    if code != 0 { status.fail(code) }
    pcm?.drop()
    pcm = nil
    status.hasEnded.store(true, ordering: .releasing)
  }

  /// The next period to write; nil if playback ends.
  private func nextPeriod() -> UnsafeRawPointer? {
    guard let queue else { return status.order == .play ? unsafe renderer.render() : nil }
    while status.order == .play {
      if let period = unsafe queue.first(waiting: 100) { return unsafe period }
    }
    return nil
  }

  /// Publishes the position of the device.
  private func follow() {
    var told = follower
    if isClockless {
      follower.update(
        frames: written - Int64(agreement.bufferFrames), at: HostTime(nanoseconds: nextDeadline))
      told = follower
    } else if told.timeline == nil, told.epoch > 0, let moment = pcm?.moment() {
      // After a gap the old line is worse than the device's position at its start. The first step
      // of the device will be known when it wakes us.
      told.update(frames: written - Int64(queued(moment)), at: moment.time)
    } else if written - seen > Int64(agreement.hertz), let moment = pcm?.moment() {
      // If the device never makes us wait, its position is read once a second.
      follow(moment, with: 0)
      told = follower
    }
    let delay = Int64(held * 1e9 / Double(agreement.hertz))
    if let clock = SampleClock(told, delay: delay) {
      status.clock.write(clock)
      status.listed.write(clock)
    }
  }

  /// Notes the position of the device when a part of a period was written.
  private func follow(_ moment: PCMHandle.Moment, with done: Int) {
    guard !isClockless else { return }
    let beyond = Double(max(0, moment.delay - queued(moment)))
    let isFirst = follower.timeline == nil
    held = isFirst ? beyond : held + (beyond - held) / 64
    let frame = written + Int64(done - queued(moment))
    // The position may not have changed since the last call.
    if isFirst || frame > seen { follower.update(frames: frame, at: moment.time) }
    seen = frame
  }

  private func queued(_ moment: PCMHandle.Moment) -> Int { agreement.bufferFrames - moment.room }

  /// Writes a whole period; returns 0, or the error with which the device is lost.
  private func writePeriod(_ period: UnsafeRawPointer) -> Int32 {
    if isClockless {
      let code = waitForDeadline()
      guard code == 0 else { return code }
    } else {
      lookForClock()
    }
    var done = 0
    var waited: Int32 = 0
    while done < agreement.periodFrames, status.order != .drop {
      let frames = unsafe period + done * frameBytes
      let written = unsafe pcm?.write(frames, count: agreement.periodFrames - done) ?? -Int(ENODEV)
      if written > 0 {
        done += written
        waited = 0
      } else if written == 0 || written == -Int(EAGAIN) {
        untimed = nil
        guard waited < Self.longestPause else { return -ETIMEDOUT }
        waited += 100
        let (code, moment) = pcm?.waitForStep(milliseconds: 100) ?? (-ENODEV, nil)
        if let moment { follow(moment, with: done) }
        if code < 0, !Self.isPassing(code) { return code }
      } else {
        let code = recover(from: Int32(clamping: written))
        guard code == 0 else { return code }
      }
    }
    return 0
  }

  /// True if an error means that the device was unplugged: it has played, and stopped taking data.
  ///
  /// Other errors, such as a missing folder or a full disk for a file, are not cured by waiting.
  private func mayReturn(after code: Int32) -> Bool {
    let lasting = [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EFBIG, EINVAL]
    return hasPlayed && !lasting.contains(-code)
  }

  private var hasPlayed: Bool { written - first > Int64(agreement.bufferFrames) }

  /// Waits for a device that was unplugged, and writes the last period again, which may not have
  /// been played and contains events; returns 0, or the error with which the device is lost.
  private func waitForReturn(after code: Int32, with period: UnsafeRawPointer) -> Int32 {
    var code = code
    // The time to wait also covers a device that returns but does not take data.
    let deadline = DeadlineWait.now + Int64(patience) * 1_000_000_000
    while code != 0, isBack(before: deadline) {
      code = writeHead()
      if code == 0 { code = unsafe writePeriod(period) }
    }
    return code
  }

  /// Waits for a device that was unplugged; true if it is back with the same settings.
  private func isBack(before deadline: Int64) -> Bool {
    status.isAway.store(patience > 0, ordering: .relaxed)
    follower.reset()
    // The card and its number are released only when the device is closed.
    pcm = nil
    while DeadlineWait.now < deadline, status.order == .play {
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
        hertz: agreement.hertz, channels: .exactly(agreement.channelCount),
        periodFrames: agreement.periodFrames, periodCount: periods, format: agreement.format)
      guard agreed == agreement else { return false }
      pcm = consume opened
      return true
    } catch {
      // The device is not available yet, or another program has opened it.
      return false
    }
  }

  private var frameBytes: Int { agreement.channelCount * agreement.format.byteCount }

  /// True if an error is an xrun, a suspension or a signal, which the next write handles.
  private static func isPassing(_ code: Int32) -> Bool {
    code == -EPIPE || code == -ESTRPIPE || code == -EINTR
  }

  /// Makes the device ready again and writes silence at the start.
  private func recover(from code: Int32) -> Int32 {
    let failure = pcm?.recover(from: code) ?? -ENODEV
    guard failure == 0, code != -EINTR else { return failure }
    let grown = noteXrun()
    return grown == 0 ? writeHead() : grown
  }

  /// Counts an xrun; every second one doubles the buffer, up to its maximum.
  private func noteXrun() -> Int32 {
    follower.reset()
    status.xrunCount.add(1, ordering: .relaxed)
    dryCount += 1
    let periods = min(2 * bufferPeriods, mostPeriods)
    return dryCount.isMultiple(of: 2) && periods > bufferPeriods ? grow(to: periods) : 0
  }

  /// Sets a longer buffer with the same period, or the old one if the device does not support it;
  /// returns 0, or the error with which the device is lost.
  private func grow(to periods: Int) -> Int32 {
    for count in [periods, bufferPeriods] {
      pcm?.release()
      do throws(DeviceError) {
        let agreed = try pcm?.negotiate(
          hertz: agreement.hertz, channels: .exactly(agreement.channelCount),
          periodFrames: agreement.periodFrames, periodCount: count, format: agreement.format)
        guard let agreed, agreed.periodFrames == agreement.periodFrames else { continue }
        agreement = agreed
        status.bufferFrames.store(agreed.bufferFrames, ordering: .releasing)
        return 0
      } catch {
        // The old buffer is tried next.
      }
    }
    return -EIO
  }

  /// Fills the buffer with silence, except for one period.
  private func writeHead() -> Int32 {
    nextDeadline = DeadlineWait.now
    if untimed != nil { untimed = 0 }
    return unsafe writeSilence(periods: bufferPeriods - 1) { silence in
      // Silence that does not fit is left out, because the buffer is full.
      let written = unsafe pcm?.write(silence, count: agreement.periodFrames) ?? -Int(ENODEV)
      return written < 0 && written != -Int(EAGAIN) ? Int32(clamping: written) : 0
    }
  }

  private var bufferPeriods: Int { agreement.bufferFrames / agreement.periodFrames }

  /// Writes periods of silence until an error, which it returns, or returns 0.
  private func writeSilence(periods: Int, _ write: (UnsafeRawPointer) -> Int32) -> Int32 {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: agreement.periodBytes, alignment: 64
    ) { silence in
      guard let base = silence.baseAddress else { return 0 }
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: silence.count)
      var code: Int32 = 0
      for _ in 0..<periods where code == 0 { code = unsafe write(UnsafeRawPointer(base)) }
      return code
    }
  }

  /// Detects if the device has a clock.
  ///
  /// Such a device does not take more than its buffer, the played frames and a step of its
  /// position.
  private func lookForClock() {
    guard let taken = untimed else { return }
    let frames = taken + Int64(agreement.periodFrames)
    let sounded = nanoseconds(ofFrames: Int(taken) - agreement.bufferFrames)
    isClockless = sounded - Self.longestStep > DeadlineWait.now - nextDeadline
    untimed = isClockless ? nil : frames
    if isClockless {
      follower.reset()
      nextDeadline = DeadlineWait.now
    }
  }

  /// Waits for the time of the next period on a device without a clock, by the clock of the
  /// computer.
  ///
  /// A pause longer than the buffer, for example of a stopped process, counts as an xrun.
  ///
  /// - Returns: 0, or the error with which the device is lost.
  private func waitForDeadline() -> Int32 {
    var code: Int32 = 0
    nextDeadline += nanoseconds(ofFrames: agreement.periodFrames)
    if DeadlineWait.now - nextDeadline > nanoseconds(ofFrames: agreement.bufferFrames) {
      code = noteXrun()
      nextDeadline = DeadlineWait.now
    }
    DeadlineWait.sleep(until: nextDeadline)
    return code
  }

  private func nanoseconds(ofFrames count: Int) -> Int64 {
    Int64(count) * 1_000_000_000 / Int64(agreement.hertz)
  }

  /// Plays everything that was rendered, by writing a buffer of silence after it.
  ///
  /// `snd_pcm_drain` would wait without a limit or, in non-blocking mode, never report its end.
  private func drain() -> Int32 {
    var code: Int32 = 0
    while code == 0, let period = unsafe queue?.first(waiting: 0) {
      code = unsafe writePeriod(period)
      queue?.pop()
    }
    return code == 0 ? unsafe writeSilence(periods: bufferPeriods) { unsafe writePeriod($0) } : code
  }
}
