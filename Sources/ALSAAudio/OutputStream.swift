// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The writing half of an output: a device, where its frames stand in time, and the loop that feeds
/// it.
///
/// The buffer is first filled with silence, all but one period, so that from the start on a period
/// is rendered each time one has sounded; after an xrun it begins so again. Nothing is rendered in
/// a burst, and whoever sends events needs to be ahead by little more than a period.
final class OutputStream: @unchecked Sendable {
  // Unchecked: after `init` only the thread that writes touches it, until it has ended.

  /// Nil while the device is away.
  private var pcm: PCMHandle?
  private let device: String
  private var agreement: PCMAgreement
  private let renderer: PeriodRenderer
  /// What another thread renders into; nil where the thread that writes renders itself.
  private let queue: PeriodQueue?
  private let status: StreamStatus
  /// To how many periods the buffer may grow.
  private let mostPeriods: Int
  /// Xruns that it has had.
  private var dryCount = 0
  /// Seconds for which a device that went away is waited for.
  private let patience: Int
  /// Whether the device takes everything at once: ALSA's `null`, or a file before it.
  private var isClockless = false
  /// When a device without a clock is to take the next period.
  private var nextDeadline: Int64 = 0
  /// Frames that the device took since it was started, while it has never had one wait.
  private var untimed: Int64? = 0
  /// The first frame of the plan that is played here.
  private let first: Int64
  /// The first frame of the plan that has not been written.
  private var written: Int64
  private var follower: PeriodFollower
  /// The frame that left the buffer when the device was last asked.
  private var seen: Int64
  /// Frames that the device holds beyond its buffer, smoothed.
  private var held = 0.0

  /// How long a device may take nothing before it counts as gone, in milliseconds.
  static let longestPause: Int32 = 5000
  /// In what steps a device with a clock may count, in nanoseconds: the slowest kernel's tick.
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

  /// Writes until it is told to end, or the device is gone.
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
      // Whoever sees it back finds the clock that holds from there on.
      status.isAway.store(false, ordering: .releasing)
    }
    if code == 0, status.order == .drain { code = drain() }
    if code != 0 { status.fail(code) }
    pcm?.drop()
    pcm = nil
    status.hasEnded.store(true, ordering: .releasing)
  }

  /// The period to be written next; nil where no more is to be played.
  private func nextPeriod() -> UnsafeRawPointer? {
    guard let queue else { return status.order == .play ? unsafe renderer.render() : nil }
    while status.order == .play {
      if let period = unsafe queue.first(waiting: 100) { return unsafe period }
    }
    return nil
  }

  /// Publishes where the device is.
  private func follow() {
    var told = follower
    if isClockless {
      follower.update(
        frames: written - Int64(agreement.bufferFrames), at: HostTime(nanoseconds: nextDeadline))
      told = follower
    } else if told.timeline == nil, told.epoch > 0, let moment = pcm?.moment() {
      // After a gap the line from before is worse than what the device says at its start; where it
      // has made its first step is learnt when it wakes us.
      told.update(frames: written - Int64(queued(moment)), at: moment.time)
    } else if written - seen > Int64(agreement.hertz), let moment = pcm?.moment() {
      // One that never has us wait is believed once a second.
      follow(moment, with: 0)
      told = follower
    }
    let delay = Int64(held * 1e9 / Double(agreement.hertz))
    if let clock = SampleClock(told, delay: delay) {
      status.clock.write(clock)
      status.listed.write(clock)
    }
  }

  /// Takes note of where the device was, when so much of a period had been written.
  private func follow(_ moment: PCMHandle.Moment, with done: Int) {
    guard !isClockless else { return }
    let beyond = Double(max(0, moment.delay - queued(moment)))
    let isFirst = follower.timeline == nil
    held = isFirst ? beyond : held + (beyond - held) / 64
    let frame = written + Int64(done - queued(moment))
    // Two looks may find the device in one place.
    if isFirst || frame > seen { follower.update(frames: frame, at: moment.time) }
    seen = frame
  }

  private func queued(_ moment: PCMHandle.Moment) -> Int { agreement.bufferFrames - moment.room }

  /// Writes a period to the end; returns 0 or the error that the device is lost with.
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

  /// Whether an error means a device that went away: it has played, and takes nothing any more.
  ///
  /// What a device says that cannot do its work, such as a file where there is no folder or no
  /// room, waiting does not mend.
  private func mayReturn(after code: Int32) -> Bool {
    let lasting = [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EFBIG, EINVAL]
    return hasPlayed && !lasting.contains(-code)
  }

  private var hasPlayed: Bool { written - first > Int64(agreement.bufferFrames) }

  /// Waits for a device that went away, and gives it the period that it was given last, which may
  /// not have sounded and holds events; returns 0 or the error that the device is lost with.
  private func waitForReturn(after code: Int32, with period: UnsafeRawPointer) -> Int32 {
    var code = code
    // One that returns and takes nothing is waited for no longer than one that stays away.
    let deadline = DeadlineWait.now + Int64(patience) * 1_000_000_000
    while code != 0, isBack(before: deadline) {
      code = writeHead()
      if code == 0 { code = unsafe writePeriod(period) }
    }
    return code
  }

  /// Waits for a device that went away; whether it is back and takes what it took before.
  private func isBack(before deadline: Int64) -> Bool {
    status.isAway.store(patience > 0, ordering: .relaxed)
    follower.reset()
    // The card goes, and its number is free for its return, once nobody holds it.
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
    let grown = noteXrun()
    return grown == 0 ? writeHead() : grown
  }

  /// Counts an xrun; every second one gives the device a buffer twice as long, as far as it may be.
  private func noteXrun() -> Int32 {
    follower.reset()
    status.xrunCount.add(1, ordering: .relaxed)
    dryCount += 1
    let periods = min(2 * bufferPeriods, mostPeriods)
    return dryCount.isMultiple(of: 2) && periods > bufferPeriods ? grow(to: periods) : 0
  }

  /// Agrees on a longer buffer with periods as before, or on the old one where the device has none;
  /// returns 0 or the error that the device is lost with.
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
        // The old one is next.
      }
    }
    return -EIO
  }

  /// Fills the buffer with silence, all but one period.
  private func writeHead() -> Int32 {
    nextDeadline = DeadlineWait.now
    if untimed != nil { untimed = 0 }
    return unsafe writeSilence(periods: bufferPeriods - 1) { silence in
      // What does not fit is left out: the buffer is full then.
      let written = unsafe pcm?.write(silence, count: agreement.periodFrames) ?? -Int(ENODEV)
      return written < 0 && written != -Int(EAGAIN) ? Int32(clamping: written) : 0
    }
  }

  private var bufferPeriods: Int { agreement.bufferFrames / agreement.periodFrames }

  /// Hands out periods of silence until one is refused, whose error it returns, or 0.
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

  /// Finds out whether the device has a clock: one that has does not take more, from its start on,
  /// than its buffer, what has sounded since, and a step of its count.
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

  /// Without a clock of the device's own, periods go out at the machine's.
  ///
  /// A pause longer than the buffer, as of a stopped process, counts as an xrun.
  ///
  /// - Returns: 0 or the error that the device is lost with.
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

  /// Lets all that was rendered sound, by writing a buffer of silence behind it.
  ///
  /// `snd_pcm_drain` would have to wait without a limit, or, without blocking, never says that it
  /// is done.
  private func drain() -> Int32 {
    var code: Int32 = 0
    while code == 0, let period = unsafe queue?.first(waiting: 0) {
      code = unsafe writePeriod(period)
      queue?.pop()
    }
    return code == 0 ? unsafe writeSilence(periods: bufferPeriods) { unsafe writePeriod($0) } : code
  }
}
