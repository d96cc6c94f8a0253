// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioToolboxQueues
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Queues on the null output, in real time; no test depends on exact times.
@Suite struct QueueRunningTests {
  private let scene = QueueScene()

  /// Ten milliseconds of sound.
  private func sound(_ frames: Int = 480) -> [UInt8] {
    QueueFormat.bytes((0..<frames).map { Float($0 % 100) / 200 })
  }

  private func open(on loop: CFRunLoop? = nil) {
    QueueDevices.$current.withValue(QueueTestDevices.plain) {
      #expect(scene.open(QueueFormat.float(), on: loop) == noErr)
    }
  }

  private func enqueue(_ count: Int, frames: Int = 480) -> [AudioQueueBufferRef] {
    (0..<count).map { _ in
      let buffer = scene.buffer(sound(frames))
      #expect(AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil) == noErr)
      return buffer
    }
  }

  @Test func `buffers are returned in order, and a draining stop ends the queue`() async {
    open()
    let buffers = enqueue(4).map { UInt(bitPattern: $0) }
    var prepared = UInt32(0)
    #expect(AudioQueuePrime(scene.queue, 0, &prepared) == noErr && prepared == 4 * 480)
    #expect(AudioQueueStart(scene.queue, nil) == noErr && scene.isRunning)
    #expect(AudioQueueStop(scene.queue, false) == noErr)
    #expect(await wait { !scene.isRunning && scene.running.count == 2 })
    #expect(scene.returned == buffers && scene.running == [true, false])
    var stamp = AudioTimeStamp()
    #expect(
      AudioQueueGetCurrentTime(scene.queue, nil, &stamp, nil) == kAudioQueueErr_InvalidRunState)
    #expect(AudioQueueDispose(scene.queue, true) == noErr)
    #expect(AudioQueueStart(scene.queue, nil) == kAudio_ParamError)
  }

  @Test func `an immediate stop returns with every buffer back, and the queue can start again`() {
    open()
    _ = enqueue(3, frames: 48_000)
    for round in 1...2 {
      #expect(AudioQueueStart(scene.queue, nil) == noErr)
      #expect(AudioQueueStop(scene.queue, true) == noErr)
      #expect(!scene.isRunning)
      #expect(scene.returnedCount == (round == 1 ? 3 : 4))
      if round == 1 { _ = enqueue(1) }
    }
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a stop before the start returns the buffers too`() {
    open()
    _ = enqueue(3)
    #expect(AudioQueueStop(scene.queue, true) == noErr)
    #expect(scene.returnedCount == 3 && scene.running.isEmpty)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a callback stops its own queue`() async {
    open()
    scene.onBuffer = { queue, _ in AudioQueueStop(queue, true) }
    _ = enqueue(3)
    AudioQueueStart(scene.queue, nil)
    #expect(await wait { scene.returnedCount == 3 && !scene.isRunning })
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a callback disposes of the queue that calls it`() async {
    open()
    scene.onBuffer = { queue, buffer in
      AudioQueueDispose(queue, true)
      // The memory exists until the callback has returned.
      buffer.pointee.mAudioDataByteSize = 0
    }
    _ = enqueue(3)
    AudioQueueStart(scene.queue, nil)
    #expect(
      await wait { AudioQueueFlush(scene.queue) == kAudio_ParamError && scene.returnedCount == 1 })
    #expect(scene.returnedCount == 1)
  }

  @Test func `a reset returns the buffers, and the queue goes on`() async {
    open()
    _ = enqueue(3, frames: 48_000)
    AudioQueueStart(scene.queue, nil)
    #expect(AudioQueueReset(scene.queue) == noErr)
    #expect(scene.returnedCount == 3 && scene.isRunning)
    _ = enqueue(1)
    #expect(await wait { scene.returnedCount == 4 })
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a pause keeps the time, and a start continues`() async {
    open()
    _ = enqueue(1, frames: 480_000)
    AudioQueueStart(scene.queue, nil)
    func time() -> Double {
      var stamp = AudioTimeStamp()
      #expect(AudioQueueGetCurrentTime(scene.queue, nil, &stamp, nil) == noErr)
      #expect(stamp.mFlags.contains(.sampleTimeValid))
      return stamp.mSampleTime
    }
    #expect(await wait { time() > 0 })
    #expect(AudioQueuePause(scene.queue) == noErr)
    var last = -1.0
    #expect(
      await wait {
        defer { last = time() }
        return time() == last
      })
    #expect(scene.isRunning)
    let paused = time()
    AudioQueueStart(scene.queue, nil)
    #expect(await wait { time() > paused })
    AudioQueueStop(scene.queue, true)
    AudioQueueDispose(scene.queue, true)
    #expect(scene.running == [true, false])
  }

  @Test func `a dispatch queue is called one buffer at a time`() async {
    let calls = DispatchQueue(label: "calls", attributes: .concurrent)
    let inside = Atomic(0)
    let most = Atomic(0)
    var format = QueueFormat.float()
    QueueDevices.$current.withValue(QueueTestDevices.plain) {
      _ = AudioQueueNewOutputWithDispatchQueue(&scene.queue, &format, 0, calls) { queue, buffer in
        most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        self.scene.take(queue, buffer)
        inside.subtract(1, ordering: .relaxed)
      }
    }
    _ = enqueue(20, frames: 64)
    AudioQueueStart(scene.queue, nil)
    #expect(await wait { scene.returnedCount == 20 })
    #expect(most.load(ordering: .relaxed) == 1)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a run loop calls, and a stop on its thread calls what is due`() {
    // A new thread, because a run loop belongs to the thread that runs it.
    let done = DispatchSemaphore(value: 0)
    let scene = scene
    Thread.detachNewThread {
      open(on: CFRunLoopGetCurrent())
      _ = enqueue(2)
      AudioQueueStart(scene.queue, nil)
      for _ in 0..<1000 where scene.returnedCount < 2 {
        CFRunLoopRunInMode(.defaultMode, 0.05, false)
      }
      _ = enqueue(2, frames: 48_000)
      AudioQueueStop(scene.queue, true)
      AudioQueueDispose(scene.queue, true)
      done.signal()
    }
    done.wait()
    #expect(scene.returnedCount == 4 && scene.running == [true, false])
  }

  @Test func `a missing device is an error, a missing default device is not`() {
    open()
    var device = "missing" as CFString
    let size = UInt32(MemoryLayout<CFString>.size)
    let status = withUnsafePointer(to: &device) {
      AudioQueueSetProperty(
        scene.queue, kAudioQueueProperty_CurrentDevice, UnsafeRawPointer($0), size)
    }
    #expect(status == noErr)
    _ = enqueue(1)
    #expect(AudioQueueStart(scene.queue, nil) == kAudioQueueErr_InvalidDevice)
    #expect(!scene.isRunning)
    #expect(AudioQueueStop(scene.queue, true) == noErr && scene.returnedCount == 1)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `times of the device`() async {
    open()
    _ = enqueue(1, frames: 480_000)
    var (now, both) = (AudioTimeStamp(), AudioTimeStamp())
    #expect(
      AudioQueueDeviceGetCurrentTime(scene.queue, &now) == kAudioQueueErr_InvalidRunState)
    AudioQueueStart(scene.queue, nil)
    #expect(
      await wait {
        AudioQueueDeviceGetCurrentTime(scene.queue, &now) == noErr && now.mSampleTime > 0
      })
    now.mFlags = .sampleTimeValid
    #expect(AudioQueueDeviceTranslateTime(scene.queue, &now, &both) == noErr)
    #expect(both.mFlags.contains(.hostTimeValid) && both.mHostTime > 0)
    now.mSampleTime = 0
    #expect(AudioQueueDeviceGetNearestStartTime(scene.queue, &now, 0) == noErr)
    #expect(now.mSampleTime > 0)
    var timeline: AudioQueueTimelineRef?
    #expect(AudioQueueCreateTimeline(scene.queue, &timeline) == noErr)
    var isBroken: DarwinBoolean = true
    #expect(AudioQueueGetCurrentTime(scene.queue, timeline, &now, &isBroken) == noErr)
    #expect(!isBroken.boolValue)
    #expect(AudioQueueDisposeTimeline(scene.queue, timeline) == noErr)
    #expect(AudioQueueDisposeTimeline(scene.queue, timeline) == kAudio_ParamError)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a siphon sees every sample that is played`() async {
    open()
    final class Seen: Sendable { let samples = Mutex<[Float]>([]) }
    let seen = Seen()
    var (frames, format, tap) = (
      UInt32(0), AudioStreamBasicDescription(), AudioQueueProcessingTapRef?.none
    )
    let status = AudioQueueProcessingTapNew(
      scene.queue,
      { data, tap, frames, time, flags, count, list in
        let seen = Unmanaged<Seen>.fromOpaque(data).takeUnretainedValue()
        AudioQueueProcessingTapGetSourceAudio(tap, frames, time, flags, count, list)
        let buffer = UnsafeMutableAudioBufferListPointer(list)[0]
        let samples = UnsafeBufferPointer<Float>(buffer)
        seen.samples.withLock { $0 += samples }
        // A siphon changes nothing.
        for index in 0..<Int(frames) {
          buffer.mData?.assumingMemoryBound(to: Float.self)[index] = 1
        }
      }, Unmanaged.passUnretained(seen).toOpaque(), [.postEffects, .siphon], &frames, &format, &tap)
    #expect(status == noErr && frames == 64 && format.mSampleRate == 48_000)
    var (count, stamp) = (UInt32(0), AudioTimeStamp())
    var flags = AudioQueueProcessingTapFlags()
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    #expect(
      AudioQueueProcessingTapGetSourceAudio(
        tap, 64, &stamp, &flags, &count, list.unsafeMutablePointer)
        == kAudioQueueErr_InvalidTapContext)
    free(list.unsafeMutablePointer)
    _ = enqueue(2)
    AudioQueueStart(scene.queue, nil)
    AudioQueueStop(scene.queue, false)
    #expect(await wait { !scene.isRunning })
    let heard = seen.samples.withLock { Array($0.prefix(960)) }
    let expected = QueueFormat.floats(sound() + sound())
    #expect(heard.elementsEqual(expected))
    #expect(AudioQueueProcessingTapDispose(tap) == noErr)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a setting that replaces the player loses no buffer of another thread`() {
    for round in 0..<50 {
      let scene = QueueScene()
      QueueDevices.$current.withValue(QueueTestDevices.plain) {
        #expect(scene.open(QueueFormat.float()) == noErr)
      }
      nonisolated(unsafe) let buffer = scene.buffer(sound(480))
      DispatchQueue.concurrentPerform(iterations: 2) { half in
        if half == 0 {
          var frames = UInt32(1000)
          for _ in 0..<20 {
            AudioQueueSetProperty(
              scene.queue, kAudioQueueProperty_DecodeBufferSizeFrames, &frames, 4)
          }
        } else {
          AudioQueueEnqueueBuffer(scene.queue, buffer, 0, nil)
          AudioQueueStart(scene.queue, nil)
        }
      }
      AudioQueueStop(scene.queue, true)
      #expect(scene.returnedCount == 1, "round \(round)")
      #expect(AudioQueueFreeBuffer(scene.queue, buffer) == noErr)
      AudioQueueDispose(scene.queue, true)
    }
  }
}
