// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import AudioToolbox
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Queues that render offline.
@Suite struct QueueOfflineTests {
  private let scene = QueueScene()
  private let samples = (0..<5000).map { Float($0 % 4001 - 2000) / 32_768 }

  /// Renders to the end, `count` frames at a time.
  private func render(
    _ format: AudioStreamBasicDescription, count: Int, limit: Int = 200
  ) -> [UInt8] {
    var output = format
    #expect(AudioQueueSetOfflineRenderFormat(scene.queue, &output, nil) == noErr)
    #expect(AudioQueueStart(scene.queue, nil) == noErr)
    let target = scene.buffer([], capacity: count * Int(format.mBytesPerFrame))
    var (stamp, bytes) = (AudioTimeStamp(), [UInt8]())
    stamp.mFlags = .sampleTimeValid
    for _ in 0..<limit {
      guard AudioQueueOfflineRender(scene.queue, &stamp, target, UInt32(count)) == noErr else {
        break
      }
      let size = Int(target.pointee.mAudioDataByteSize)
      bytes += UnsafeRawBufferPointer(start: target.pointee.mAudioData, count: size)
      stamp.mSampleTime += Double(size) / Double(format.mBytesPerFrame)
      if size < count * Int(format.mBytesPerFrame) { break }
    }
    return bytes
  }

  @Test(arguments: [1, 2, 3])
  func `buffers that are filled again and again give every sample once`(bufferCount: Int) {
    #expect(scene.open(QueueFormat.float()) == noErr)
    var next = 0
    let all = samples
    func fill(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
      let end = min(next + 333, all.count)
      guard next < end else { return }
      scene.fill(buffer, QueueFormat.bytes(Array(all[next..<end])))
      next = end
      AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    }
    scene.onBuffer = fill
    for _ in 0..<bufferCount { fill(scene.queue!, scene.buffer([], capacity: 4 * 333)) }
    let heard = QueueFormat.floats(render(QueueFormat.float(), count: 1000))
    #expect(heard.elementsEqual(samples))
    #expect(scene.returnedCount == (samples.count + 332) / 333)
    AudioQueueDispose(scene.queue, true)
  }

  @Test(arguments: [
    (16, AudioFormatFlags(0)), (16, kAudioFormatFlagIsBigEndian), (24, 0),
    (24, kAudioFormatFlagIsBigEndian), (8, 0),
  ])
  func `integers of any size and order pass unchanged`(bits: Int, flags: AudioFormatFlags) {
    let format = QueueFormat.integer(UInt32(bits), 2, flags: flags)
    #expect(scene.open(format) == noErr)
    let bytes = (0..<6 * 1001 * bits / 8).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 7) }
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(bytes), 0, nil)
    #expect(render(format, count: 700).elementsEqual(bytes))
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `trims leave out frames at both ends`() {
    #expect(scene.open(QueueFormat.float()) == noErr)
    let buffer = scene.buffer(QueueFormat.bytes(Array(samples[..<1000])))
    AudioQueueEnqueueBufferWithParameters(
      scene.queue, buffer, 0, nil, 100, 50, 0, nil, nil, nil)
    let heard = QueueFormat.floats(render(QueueFormat.float(), count: 4096))
    #expect(heard.elementsEqual(samples[100..<950]))
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a volume and one that begins with a buffer`() {
    #expect(scene.open(QueueFormat.float()) == noErr)
    AudioQueueSetParameter(scene.queue, kAudioQueueParam_Volume, 0.5)
    let ones = [Float](repeating: 0.5, count: 1280)
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(QueueFormat.bytes(ones)), 0, nil)
    var change = AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 0.25)
    AudioQueueEnqueueBufferWithParameters(
      scene.queue, scene.buffer(QueueFormat.bytes(ones)), 0, nil, 0, 0, 1, &change, nil, nil)
    let heard = QueueFormat.floats(render(QueueFormat.float(), count: 4096))
    #expect(heard.count == 2560)
    #expect(heard[1000] == 0.25 && heard[2559] == 0.125)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `another rate and more channels`() {
    #expect(scene.open(QueueFormat.float(rate: 24_000)) == noErr)
    AudioQueueEnqueueBuffer(
      scene.queue, scene.buffer(QueueFormat.bytes([Float](repeating: 0.5, count: 2400))), 0, nil)
    let heard = QueueFormat.floats(render(QueueFormat.float(2), count: 1000))
    #expect(heard.count == 2 * 4800)
    #expect(abs(heard[4800] - 0.5) < 0.01 && heard[4800] == heard[4801])
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a stop ends the rendering, and the buffers are returned`() {
    #expect(scene.open(QueueFormat.float()) == noErr)
    let first = scene.buffer(QueueFormat.bytes(samples))
    AudioQueueEnqueueBuffer(scene.queue, first, 0, nil)
    #expect(render(QueueFormat.float(), count: 100, limit: 1).count == 400)
    #expect(AudioQueueStop(scene.queue, true) == noErr)
    #expect(scene.returned == [UInt(bitPattern: first)])
    #expect(scene.running == [true, false] && !scene.isRunning)
    AudioQueueDispose(scene.queue, true)
  }

  @Test(
    .enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"),
    arguments: [["a.m4a", "-c:a", "aac"], ["b.m4a", "-c:a", "alac"], ["c.aac", "-c:a", "aac"]])
  func `packets give the samples that a reader finds in the file`(_ words: [String]) throws {
    let folder = try ScratchFolder()
    let path = folder.path(words[0])
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "anoisesrc=d=3:a=0.3:r=44100:seed=7,aformat=channel_layouts=stereo"]
        + words.dropFirst() + [path])
    let reader = try PacketReader(path: path)
    let layer = try #require(reader.formats.first)
    #expect(scene.open(AudioStreamBasicDescription(layer)) == noErr)
    let cookie = MagicCookie.coreAudioCookie(reader.magicCookie, for: layer.codec)
    if !cookie.isEmpty {
      #expect(
        AudioQueueSetProperty(
          scene.queue, kAudioQueueProperty_MagicCookie, cookie, UInt32(cookie.count)) == noErr)
    }
    var next = 0
    func fill(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
      let numbers = next..<min(next + 7, reader.table.packets.count)
      guard !numbers.isEmpty else { return }
      next = numbers.upperBound
      var (bytes, list) = ([UInt8](), [AudioStreamPacketDescription]())
      for packet in numbers.compactMap({ reader.packet($0) }) {
        list.append(
          AudioStreamPacketDescription(
            mStartOffset: Int64(bytes.count), mVariableFramesInPacket: 0,
            mDataByteSize: UInt32(packet.count)))
        bytes += packet
      }
      scene.fill(buffer, bytes)
      let start = numbers.reduce(0) { $0 + reader.trims(ofPacket: $1).start }
      let end = numbers.reduce(0) { $0 + reader.trims(ofPacket: $1).end }
      let status = AudioQueueEnqueueBufferWithParameters(
        queue, buffer, UInt32(list.count), list, UInt32(start), UInt32(end), 0, nil, nil, nil)
      #expect(status == noErr)
    }
    scene.onBuffer = fill
    for _ in 0..<3 { fill(scene.queue!, scene.buffer([], capacity: 1 << 17)) }
    let heard = QueueFormat.floats(render(QueueFormat.float(2, rate: 44_100), count: 5000))
    let expected = try SoundFileReader(path: path).read(frameCount: 10_000_000)
    #expect(heard.count == expected.count && heard.count > 250_000)
    #expect(heard.elementsEqual(expected))
    AudioQueueDispose(scene.queue, true)
  }

  /// Renders `count` frames at a time until the queue no longer runs or nothing is left.
  private func renderAll(
    _ format: AudioStreamBasicDescription, count: Int, limit: Int = 2000
  ) -> [UInt8] {
    let target = scene.buffer([], capacity: count * Int(format.mBytesPerFrame))
    var (stamp, bytes) = (AudioTimeStamp(), [UInt8]())
    for _ in 0..<limit {
      guard AudioQueueOfflineRender(scene.queue, &stamp, target, UInt32(count)) == noErr else {
        break
      }
      let size = Int(target.pointee.mAudioDataByteSize)
      bytes += UnsafeRawBufferPointer(start: target.pointee.mAudioData, count: size)
      if size == 0 { break }
    }
    return bytes
  }

  @Test(arguments: [100, 1000, 4096], [64, 100, 1024, 8192])
  func `a stop that waits for the sound ends the queue with its last frame`(
    frames: Int, count: Int
  ) {
    #expect(scene.open(QueueFormat.float()) == noErr)
    var format = QueueFormat.float()
    AudioQueueSetOfflineRenderFormat(scene.queue, &format, nil)
    AudioQueueStart(scene.queue, nil)
    let part = Array(samples[..<frames])
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(QueueFormat.bytes(part)), 0, nil)
    #expect(AudioQueueStop(scene.queue, false) == noErr && scene.isRunning)
    #expect(QueueFormat.floats(renderAll(format, count: count)).elementsEqual(part))
    #expect(scene.running == [true, false] && !scene.isRunning && scene.returnedCount == 1)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `a stop that waits, after the last frame, ends the queue at once`() {
    #expect(scene.open(QueueFormat.float()) == noErr)
    let part = Array(samples[..<4096])
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(QueueFormat.bytes(part)), 0, nil)
    #expect(render(QueueFormat.float(), count: 8192).count == 4 * 4096)
    #expect(AudioQueueStop(scene.queue, false) == noErr)
    #expect(scene.running == [true, false] && !scene.isRunning)
    AudioQueueDispose(scene.queue, true)
  }

  @Test(arguments: [100, 3000])
  func `a stop that waits loses no frame of another rate`(count: Int) {
    #expect(scene.open(QueueFormat.float(rate: 24_000)) == noErr)
    var format = QueueFormat.float()
    AudioQueueSetOfflineRenderFormat(scene.queue, &format, nil)
    AudioQueueStart(scene.queue, nil)
    let part = [Float](repeating: 0.5, count: 2400)
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(QueueFormat.bytes(part)), 0, nil)
    AudioQueueStop(scene.queue, false)
    #expect(renderAll(format, count: count).count == 4 * 4800)
    #expect(!scene.isRunning)
    AudioQueueDispose(scene.queue, true)
  }

  @Test func `nothing of a sound that was stopped is rendered after the next start`() {
    #expect(scene.open(QueueFormat.float()) == noErr)
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(QueueFormat.bytes(samples)), 0, nil)
    #expect(render(QueueFormat.float(), count: 100, limit: 1).count == 400)
    AudioQueueStop(scene.queue, true)
    let part = [Float](repeating: 0.75, count: 1000)
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(QueueFormat.bytes(part)), 0, nil)
    AudioQueueStart(scene.queue, nil)
    #expect(QueueFormat.floats(renderAll(QueueFormat.float(), count: 700)).elementsEqual(part))
    AudioQueueDispose(scene.queue, true)
  }

  @Test(
    .enabled(if: QueueScene.changesTimePitch, "Rubber Band 3 is not installed"),
    arguments: [0.5, 1, 2] as [Float])
  func `a play rate gives the whole sound, from its first frame on`(rate: Float) throws {
    #expect(scene.open(QueueFormat.float()) == noErr && scene.enableTimePitch() == noErr)
    AudioQueueSetParameter(scene.queue, kAudioQueueParam_PlayRate, rate)
    let part = (0..<48_000).map { Float(0.5 * sin(Double($0) / 8)) }
    AudioQueueEnqueueBuffer(scene.queue, scene.buffer(QueueFormat.bytes(part)), 0, nil)
    let found = QueueFormat.floats(render(QueueFormat.float(), count: 1000, limit: 1000))
    let expected = Int(48_000 / rate)
    try #require(abs(found.count - expected) < 2000, "\(found.count)")
    func level(_ part: ArraySlice<Float>) -> Float { part.map(abs).max() ?? 0 }
    #expect(level(found.prefix(4000)) > 0.25)
    #expect(level(found[max(0, expected - 6000)..<max(0, expected - 2000)]) > 0.25)
    AudioQueueDispose(scene.queue, true)
  }
}
