// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Dispatch
internal import MusicalTime
internal import Realtime
internal import Synchronization

extension OutputQueue {
  /// Starts or continues.
  func begin(at time: AudioTimeStamp?) throws(StatusError) {
    let (isOffline, name) = core.withLock { ($0.settings.offline != nil, $0.settings.device) }
    try device.withLock { (device) throws(StatusError) in
      let sound = try sound()
      if isOffline {
        try sound.start(at: nil)
      } else if let output = device.output {
        try resume(sound, output, &device, at: time, run.withLock(\.isPaused))
      } else {
        try open(sound, &device, name, at: time)
      }
      // A start that failed leaves a stop or a pause that is under way alone.
      run.withLock { ($0.isStopping, $0.hasStopped, $0.isPaused) = (false, false, false) }
      setRunning(true)
    }
    if !isOffline { wake() }
  }

  private func open(
    _ sound: QueueSound, _ device: inout Device, _ name: String?, at time: AudioTimeStamp?
  ) throws(StatusError) {
    do {
      let output = try devices.output(rate, channelCount, name)
      let start = moment(time, device.position, nil)
      try sound.start(at: at(start))
      do {
        try output.start(sound.plan, at: SampleTime(frames: device.position))
      } catch {
        // The buffers that are enqueued remain for the next start.
        try sound.pause()
        throw error
      }
      device.output = output
      (device.origin, device.pausedFrames) = (start ?? device.position, 0)
      device.pausedAt = nil
    } catch let error as StatusError {
      throw error
    } catch {
      throw StatusError(
        name == nil ? kAudioQueueErr_CannotStart : kAudioQueueErr_InvalidDevice)
    }
  }

  private func resume(
    _ sound: QueueSound, _ output: any OutputUnit, _ device: inout Device,
    at time: AudioTimeStamp?, _ wasPaused: Bool
  ) throws(StatusError) {
    let now = output.position.frames
    guard wasPaused, let paused = device.pausedAt else {
      return try sound.start(at: at(moment(time, now, output.clock)))
    }
    let start = moment(time, now, output.clock) ?? now + Int64(AudioFormat.quantum)
    device.pausedFrames += max(0, start - paused)
    device.pausedAt = nil
    try sound.start(at: at(start))
  }

  /// The frame of a time of the device; nil for at once.
  private func moment(_ time: AudioTimeStamp?, _ now: Int64, _ clock: SampleClock?) -> Int64? {
    guard let time else { return nil }
    if time.mFlags.contains(.sampleTimeValid) {
      // Within 2⁴⁸, as all times that a program gives: sums of them must not overflow.
      return Int64(exactly: time.mSampleTime.rounded()).map { max(now, min($0, 1 << 48)) }
    }
    guard time.mFlags.contains(.hostTimeValid) else { return nil }
    let times = DeviceTimes(clock: clock, position: now, rate: rate)
    return max(now, times.frame(atHost: time.mHostTime))
  }

  private func at(_ frame: Int64?) -> SoundQueue.Moment? {
    frame.map { .frame(SampleTime(frames: $0)) }
  }

  /// Ends the sound at once, or after what is enqueued.
  func end(isImmediate: Bool) throws(StatusError) {
    guard let sound = existing else { return }
    let isPlaying = core.withLock(\.isRunning) && !run.withLock(\.isPaused)
    let isNow = isImmediate || !isPlaying
    let before = run.withLock { $0 }
    markStop(isNow)
    do throws(StatusError) {
      try sound.stop(draining: !isNow)
    } catch {
      run.withLock { $0.takeStop(of: before) }
      throw error
    }
    if core.withLock({ $0.settings.offline != nil }) { return settleOffline() }
    if isNow { settle() } else { wake() }
  }

  private func markStop(_ isNow: Bool) {
    run.withLock { run in
      (run.isStopping, run.hasStopped, run.isPaused) = (true, false, false)
      (run.isImmediate, run.asked) = (isNow, .now())
    }
  }

  /// Takes back what is enqueued.
  func takeBack() throws(StatusError) {
    guard let sound = existing else { return }
    let isAnyEnqueued = try ordering.withLock { (_) throws(StatusError) in
      guard markReset() else { return false }
      try sound.reset()
      return true
    }
    guard isAnyEnqueued else { return }
    if core.withLock({ $0.settings.offline != nil }) { return settleOffline() }
    settle()
  }

  /// Lists the buffers that a reset takes back; false if no buffer is enqueued.
  private func markReset() -> Bool {
    run.withLock { run in
      let buffers = core.withLock { core in
        core.entries.values.filter(\.isEnqueued).map(\.buffer)
      }
      guard !buffers.isEmpty else { return false }
      (run.isResetting, run.resetBuffers) = (true, buffers)
      if !run.isStopping { run.asked = .now() }
      return true
    }
  }

  /// Ends for good; no callback follows.
  func close(isImmediate: Bool) {
    caller.end()
    disposeOfChildren()
    for tap in taps.withLock({ $0 }) { tap.deactivate() }
    let isRunning = core.withLock { core in
      core.isDisposed = true
      return core.isRunning
    }
    guard isRunning, core.withLock({ $0.settings.offline == nil }), let sound = existing else {
      return worker.end()
    }
    markStop(isImmediate || run.withLock(\.isPaused))
    worker.keep(self)
    do {
      try sound.stop(draining: !run.withLock(\.isImmediate))
    } catch {
      // An output that renders nothing is closed by the thread.
      run.withLock { $0.hasStopped = true }
    }
    if isImmediate { settle() } else { wake() }
  }
}

// The thread's turns.
extension OutputQueue {
  /// Does what is due.
  func takeTurn() -> QueueWorker.Pace {
    guard let sound = existing else {
      if caller.isOwn { caller.callAll() }
      return core.withLock(\.isDisposed) ? .ended : .idle
    }
    guard core.withLock({ $0.settings.offline == nil }) else { return .idle }
    sound.unit.deliver()
    lookAfterDevice(sound)
    renderUnheard(sound)
    closeIfStopped()
    if caller.isOwn { caller.callAll() }
    wakeWaiters()
    guard isDone, device.withLock({ $0.output == nil }) else { return .soon }
    return core.withLock(\.isDisposed) ? .ended : .idle
  }

  /// True if a stop and a reset have been carried out.
  var isDone: Bool { run.withLock { !($0.isStopping && $0.isImmediate) && !$0.isResetting } }

  /// True if the player must render to carry out an immediate stop or a reset.
  var isAwaitingRender: Bool {
    run.withLock { $0.isStopping && $0.isImmediate && !$0.hasStopped || $0.isResetting }
  }

  /// Gives up an output that has failed, and one that does not stop.
  private func lookAfterDevice(_ sound: QueueSound) {
    // Under one lock: a start that follows opens another output, which this does not stop.
    device.withLock { device in
      let (isLate, isEnding) = run.withLock { run in
        let isAsked = run.isStopping && run.isImmediate || run.isResetting
        let isLate = isAsked && DispatchTime.now() > run.asked + .milliseconds(400)
        return (isLate, run.isStopping && run.isImmediate)
      }
      guard let output = device.output, output.fault != nil || isLate && output.isAway else {
        return
      }
      Self.close(&device, draining: false)
      guard !isEnding else { return }
      markStop(true)
      // A full ring is emptied by what follows.
      do { try sound.stop(draining: false) } catch { run.withLock { $0.hasStopped = true } }
    }
  }

  /// Renders while no output does, so that the player carries out a stop or a reset.
  private func renderUnheard(_ sound: QueueSound) {
    for _ in 0..<64 {
      guard isAwaitingRender else { return }
      let isRendered = device.withLock { device in
        guard device.output == nil else { return false }
        sound.plan.render(at: SampleTime(frames: device.position))
        device.position += Int64(AudioFormat.quantum)
        return true
      }
      guard isRendered else { return }
      sound.unit.deliver()
    }
  }

  /// Closes the output if the player has stopped.
  private func closeIfStopped() {
    device.withLock { device in
      guard run.withLock({ $0.isStopping && $0.hasStopped }) else { return }
      Self.close(&device, draining: true)
      let isOver = run.withLock { run in
        defer { (run.isStopping, run.hasStopped) = (false, false) }
        return run.isStopping
      }
      // Under the lock: a start that follows sets the opposite.
      if isOver { setRunning(false) }
    }
  }

  private static func close(_ device: inout Device, draining: Bool) {
    guard let output = device.output.take() else { return }
    output.stop(draining: draining)
    let quantum = Int64(AudioFormat.quantum)
    device.position = (output.position.frames + quantum - 1) / quantum * quantum
    device.pausedAt = nil
  }
}
