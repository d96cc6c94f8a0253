// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// Offline rendering of a queue, in the format that the program asked for.
@safe
final class OfflineRun: @unchecked Sendable {
  // Unchecked: used under the queue's lock.

  /// The player.
  let sound: QueueSound
  /// The format of what is rendered.
  let form: PCMForm
  private let renderer: QueueRenderer
  /// Changes rate and channels; nil if they are the queue's.
  private let converter: SoundConverter?
  private var isFinished = false
  /// True once the converter has been given sound.
  private var hasPushed = false

  /// The number of frames that were rendered, at the queue's rate.
  var position: Int64 { renderer.position.frames }

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - sound: the player.
  ///   - rate: the player's frames per second.
  ///   - format: the format of what is rendered.
  /// - Throws: `kAudioFormatUnsupportedDataFormatError`.
  init(
    _ sound: QueueSound, rate: SampleRate, format: AudioStreamBasicDescription
  ) throws(StatusError) {
    guard let form = PCMForm(format), form.isInterleaved || form.channelCount == 1 else {
      throw StatusError(kAudioFormatUnsupportedDataFormatError)
    }
    (self.sound, self.form) = (sound, form)
    do {
      renderer = try QueueRenderer(sound.unit, playing: sound.isDirect ? nil : sound.plan)
      let own = SoundConverter.Form(rate: rate, layout: .usual(channelCount: renderer.channelCount))
      let wanted = SoundConverter.Form(
        rate: form.rate, layout: .usual(channelCount: form.channelCount))
      converter = own == wanted ? nil : try SoundConverter(from: own, to: wanted)
    } catch {
      throw StatusError(kAudioFormatUnsupportedDataFormatError)
    }
  }

  /// Renders frames into memory.
  ///
  /// - Parameters:
  ///   - frameCount: the number of frames, for which there is room.
  ///   - target: the memory.
  ///   - prepare: called before each quantum.
  /// - Returns: the number of frames; fewer if nothing is left.
  /// - Throws: `kAudioFormatUnsupportedDataFormatError`.
  func render(
    _ frameCount: Int, to target: UnsafeMutableRawPointer, prepare: () -> Void
  ) throws(StatusError) -> Int {
    renderer.speed = sound.stretchedSpeed
    let samples = try read(frameCount, prepare)
    let channels = form.channelCount
    if form.sampleType == .float32 {
      unsafe samples.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        unsafe target.copyMemory(from: base, byteCount: bytes.count)
      }
    } else {
      var doubles = samples.map(Double.init)
      unsafe doubles.withUnsafeMutableBufferPointer { doubles in
        guard let base = doubles.baseAddress else { return }
        unsafe form.write(
          base, frameCount: samples.count / channels, buffer: 0, to: target)
      }
    }
    return samples.count / channels
  }

  /// Has the player carry out a stop or a reset.
  func settle() { renderer.settle() }

  /// True if all that was played has been read.
  var isDrained: Bool {
    guard !renderer.hasFramesLeft else { return false }
    guard let converter else { return true }
    return converter.readyFrameCount == 0 && (isFinished || !hasPushed)
  }

  /// Forgets the rest of a sound that was stopped.
  func discard() throws(StatusError) {
    renderer.discard()
    if let converter { try restart(converter) }
  }

  private func read(_ frameCount: Int, _ prepare: () -> Void) throws(StatusError) -> [Float] {
    guard let converter else { return renderer.read(frameCount, prepare: prepare) }
    // Sound that is enqueued after the end is a new stream.
    if isFinished, converter.readyFrameCount == 0 { try restart(converter) }
    while converter.readyFrameCount < frameCount, !isFinished {
      let samples = renderer.read(4096, prepare: prepare)
      if samples.isEmpty {
        converter.finish()
        isFinished = true
      } else {
        converter.push(samples.span)
        hasPushed = true
      }
    }
    return converter.take(Float.self, frameCount: frameCount)
  }

  private func restart(_ converter: SoundConverter) throws(StatusError) {
    do {
      try converter.reset()
    } catch {
      throw StatusError(kAudioFormatUnsupportedDataFormatError)
    }
    (isFinished, hasPushed) = (false, false)
  }
}

extension OutputQueue {
  /// Renders offline into a buffer.
  ///
  /// - Parameters:
  ///   - pointer: one of the queue's buffers, which is not enqueued.
  ///   - frameCount: the number of frames.
  /// - Throws: the code for a wrong state or buffer.
  func render(
    into pointer: UnsafeMutablePointer<AudioQueueBuffer>?, _ frameCount: Int
  ) throws(StatusError) {
    guard let format = core.withLock(\.settings.offline) else {
      throw StatusError(kAudioQueueErr_InvalidOfflineMode)
    }
    guard core.withLock(\.isRunning) else { throw StatusError(kAudioQueueErr_InvalidRunState) }
    let buffer = try unsafe take(pointer)
    // A callback may have asked for a reset, which does not wait for this buffer.
    defer { release(buffer) }
    let sound = try sound()
    let status = offline.withLockIfAvailable { offline in
      CoreAudioHandles.status { () throws(StatusError) in
        let run = try offlineRun(&offline, sound, format)
        try render(run, frameCount, to: buffer)
        try finish(run)
      }
    }
    // Another render is under way.
    guard let status else { throw StatusError(kAudioQueueErr_InvalidRunState) }
    if status != noErr { throw StatusError(status) }
    caller.callAll()
  }

  private func offlineRun(
    _ known: inout OfflineRun?, _ sound: QueueSound, _ format: AudioStreamBasicDescription
  ) throws(StatusError) -> OfflineRun {
    // Settings of the queue may have replaced the player.
    if let known, known.sound === sound { return known }
    let new = try OfflineRun(sound, rate: rate, format: format)
    known = new
    offlinePosition.withLock { $0 = new.position }
    return new
  }

  private func render(
    _ run: OfflineRun, _ frameCount: Int, to buffer: QueueBuffer
  ) throws(StatusError) {
    guard frameCount <= buffer.capacity / run.form.bytesPerFrame,
      let base = unsafe buffer.room.baseAddress
    else { throw .parameter }
    let count = unsafe try run.render(frameCount, to: base) { caller.callAll() }
    offlinePosition.withLock { $0 = run.position }
    unsafe buffer.pointer.pointee.mAudioDataByteSize = UInt32(count * run.form.bytesPerFrame)
  }

  /// Ends the run if a stop has been carried out; one that waits for the sound, when all frames
  /// have been read.
  private func finish(_ offline: OfflineRun) throws(StatusError) {
    let (isStopping, isImmediate) = run.withLock { ($0.isStopping, $0.isImmediate) }
    guard isStopping, isImmediate || offline.isDrained else { return }
    // A player that ran out before the stop carries it out with the next quantum that it renders.
    if !isImmediate, offline.sound.isEmpty {
      for _ in 0..<64 where !run.withLock(\.hasStopped) { offline.settle() }
    }
    let isOver = run.withLock { run in
      defer { if run.hasStopped { (run.isStopping, run.hasStopped) = (false, false) } }
      return run.isStopping && run.hasStopped
    }
    guard isOver else { return }
    try offline.discard()
    setRunning(false)
  }

  /// Has the player carry out a stop or a reset, unless a render is under way, which does it.
  func settleOffline() {
    guard let sound = existing, let format = core.withLock(\.settings.offline) else { return }
    _ = offline.withLockIfAvailable { offline in
      CoreAudioHandles.status { () throws(StatusError) in
        let run = try offlineRun(&offline, sound, format)
        for _ in 0..<64 where isAwaitingRender { run.settle() }
        try finish(run)
      }
    }
    caller.callAll()
  }
}
