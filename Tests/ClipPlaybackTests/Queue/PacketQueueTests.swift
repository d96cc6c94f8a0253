// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import ClipPlayback
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Packets that are enqueued, and decoded when they are needed.
@Suite(.enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
struct PacketQueueTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A file of noise and its packets.
  private struct Sound {
    let path: String
    let reader: PacketReader
    let queue: PacketQueue

    init(_ path: String, rate: SampleRate? = nil) throws {
      self.path = path
      reader = try PacketReader(path: path)
      queue = try PacketQueue(
        try #require(reader.formats.first), magicCookie: reader.magicCookie, rate: rate)
    }

    var count: Int { reader.table.packets.count }

    func packet(_ number: Int) throws -> [UInt8] { try #require(reader.packet(number)) }

    /// Enqueues packets, each in a separate list.
    func enqueue(_ numbers: Range<Int>) throws {
      for number in numbers {
        let trims = reader.trims(ofPacket: number)
        try queue.enqueue([packet(number)], trimStart: trims.start, trimEnd: trims.end)
      }
    }

    /// The file's samples, from a reader.
    func read(rate: SampleRate? = nil) throws -> [Float] {
      let reader = try SoundFileReader(path: path, client: ClientFormat(rate: rate))
      return reader.read(frameCount: 10_000_000)
    }

    /// Renders all enqueued packets.
    func heard() throws -> [Float] {
      var samples: [Float] = []
      try queue.unit.renderOffline { part in
        for index in part.indices { samples.append(part[index]) }
      }
      return samples
    }
  }

  private func file(_ name: String, seconds: Int = 3, _ arguments: String...) throws -> String {
    let path = folder.path(name)
    try FFmpegWitness.run(
      [
        "-f", "lavfi", "-i",
        "anoisesrc=d=\(seconds):a=0.3:r=44100:seed=7,aformat=channel_layouts=stereo",
      ] + arguments + [path])
    return path
  }

  private func alac(seconds: Int = 3) throws -> Sound {
    try Sound(file("a.m4a", seconds: seconds, "-c:a", "alac"))
  }

  @Test(arguments: [
    ["a.m4a", "-c:a", "aac"], ["b.m4a", "-c:a", "alac"], ["c.aac", "-c:a", "aac"],
    ["d.mp3", "-c:a", "libmp3lame", "-write_xing", "0"],
  ])
  func `packets enqueued one by one give the samples of a file reader`(
    _ words: [String]
  ) throws {
    let path = folder.path(words[0])
    try FFmpegWitness.run(
      ["-f", "lavfi", "-i", "anoisesrc=d=3:a=0.3:r=44100:seed=7,aformat=channel_layouts=stereo"]
        + words.dropFirst() + [path])
    let sound = try Sound(path)
    try sound.enqueue(0..<sound.count)
    // At most one second is decoded after the first packet.
    #expect(sound.queue.unit.prime() <= 44_100 + 2 * 4096)
    #expect(sound.queue.waitingCount <= sound.count)
    let heard = try sound.heard()
    let expected = try sound.read()
    #expect(heard.count == expected.count && heard.count > 250_000)
    #expect(heard == expected)
    #expect(sound.queue.waitingCount == 0 && sound.queue.damagedCount == 0)
  }

  @Test(arguments: [1, 2])
  func `HE-AAC that is not signalled plays with its upper band`(channelCount: Int) throws {
    let path = folder.path("core.aac")
    let sound = Array(repeating: "0.3*sin(2*PI*440*t)", count: channelCount).joined(separator: "|")
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "aevalsrc='\(sound)':s=22050:d=2", "-c:a", "aac", "-aac_pns", "0", path,
    ])
    try folder.write(HEAACBytes.extended(try folder.bytes("core.aac")), to: "he.aac")
    let played = try Sound(folder.path("he.aac"))
    #expect(played.queue.layer.hertz == 44_100 && played.queue.layer.channelCount == 2)
    try played.enqueue(0..<played.count)
    let (heard, expected) = (try played.heard(), try played.read())
    #expect(heard.count == expected.count && heard == expected)
  }

  @Test func `an encoder's tag in MP3 determines the padding`() throws {
    let sound = try Sound(file("a.mp3", "-c:a", "libmp3lame", "-b:a", "192k"))
    try sound.enqueue(0..<sound.count)
    let (heard, expected) = (try sound.heard(), try sound.read())
    #expect(heard.count == expected.count)
    // From another decoder, if libsndfile reads the file.
    let far = zip(heard, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(far < 1e-4, "\(far)")
  }

  @Test func `lists of any length give the same samples, also at another rate`() throws {
    let path = try file("a.m4a", "-c:a", "aac")
    for length in [1, 7, 1000] {
      let sound = try Sound(path, rate: .hertz48000)
      for first in stride(from: 0, to: sound.count, by: length) {
        let numbers = first..<min(sound.count, first + length)
        let start = numbers.reduce(0) { $0 + sound.reader.trims(ofPacket: $1).start }
        let end = numbers.reduce(0) { $0 + sound.reader.trims(ofPacket: $1).end }
        try sound.queue.enqueue(numbers.map(sound.packet), trimStart: start, trimEnd: end)
      }
      sound.queue.finish()
      let (heard, expected) = (try sound.heard(), try sound.read(rate: .hertz48000))
      #expect(heard.count == expected.count, "lists of \(length)")
      #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "lists of \(length)")
      #expect(sound.queue.waitingCount == 0)
    }
  }

  @Test func `after a flush the sound of another position follows exactly`() throws {
    let sound = try Sound(file("a.m4a", "-c:a", "aac"))
    let listener = try PlanListener(sound.queue.unit)
    let told = ToldEvents(sound.queue)
    try sound.enqueue(0..<sound.count)
    try sound.queue.start()
    listener.render(quanta: 40)
    sound.queue.unit.deliver()
    let reader = try SoundFileReader(path: sound.path)
    for target in [80_000, 12_345, 0] {
      _ = told.take()
      try sound.queue.flush()
      let table = sound.reader.table
      let packet = try #require(table.packet(ofFrame: Int64(target)))
      // Two packets before it, so that it is decoded exactly.
      let first = max(0, packet - 2)
      let decoded = Int64(target + table.primingFrameCount) - table.packets[first].firstFrame
      let number = try sound.queue.enqueue(
        try (first...packet).map(sound.packet), trimStart: Int(decoded))
      try sound.enqueue(packet + 1..<sound.count)
      listener.render(quanta: 40)
      sound.queue.unit.deliver()
      let began = told.all.compactMap { event -> Int64? in
        guard case .began(number, let frame, 0) = event else { return nil }
        return frame.frames
      }
      let start = Int(try #require(began.first))
      let heard = Array(listener.channels[0][start...].prefix(2000))
      // A decoder restarts its noise generator, like that of a reader after a seek.
      #expect(reader.locate(to: SampleTime(frames: Int64(target))))
      let expected = reader.read(frameCount: 2000)
      #expect(heard == (0..<2000).map { expected[2 * $0] }, "\(target)")
    }
  }

  @Test func `a pause keeps the position, and a packet is complete after it`() throws {
    let sound = try alac()
    let listener = try PlanListener(sound.queue.unit)
    try sound.enqueue(0..<sound.count)
    try sound.queue.start(at: .frame(100))
    listener.render(quanta: 20)
    try sound.queue.pause()
    listener.render(quanta: 20)
    let played = Int(sound.queue.unit.position.played.frames)
    #expect(played == 20 * 64 - 100 + 220)
    try sound.queue.start()
    listener.render(quanta: 20)
    let heard = listener.channels[0][(40 * 64 + 220)...]
    let expected = try sound.read()
    #expect(Array(heard) == (played + 220..<played + 20 * 64).map { expected[2 * $0] })
  }

  @Test func `a damaged packet is reported and silent, and all others keep their positions`() throws
  {
    let sound = try alac()
    let damaged = Mutex<[PacketQueue.Event]>([])
    sound.queue.observe { event in
      if case .damaged = event { damaged.withLock { $0.append(event) } }
    }
    for number in 0..<sound.count {
      let packet = number == 3 || number == 5 ? [0xFF, 0xFF, 1, 2] : try sound.packet(number)
      try sound.queue.enqueue([packet])
    }
    let (heard, whole) = (try sound.heard(), try sound.read())
    #expect(heard.count == whole.count)
    for number in 0..<sound.count {
      let range = number * 8192..<min(whole.count, number * 8192 + 8192)
      let expected =
        [3, 5].contains(number)
        ? ArraySlice(repeating: 0, count: range.count) : whole[range]
      #expect(heard[range].elementsEqual(expected), "packet \(number)")
    }
    #expect(
      damaged.withLock { $0 } == [
        .damaged(number: 3, packet: 0), .damaged(number: 5, packet: 0),
      ])
    #expect(sound.queue.damagedCount == 2)
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer has its own allocator"))
  func `claimed frames of damaged packets are not allocated`() throws {
    let reader = try alac().reader
    for frames in [1 << 17, 1 << 31, Int.max, -1] {
      let layer = SoundLayer(
        codec: .alac, hertz: 44_100, channelCount: 2, framesPerPacket: frames)
      let queue = try PacketQueue(layer, magicCookie: reader.magicCookie)
      callocationcounter_begin()
      try queue.enqueue(Array(repeating: [0xFF], count: 1000))
      #expect(callocationcounter_end().peak < 128 << 20, "\(frames)")
      #expect(queue.damagedCount == 1000)
    }
  }

  @Test func `all lists are done in order, also those that were never decoded`() throws {
    let sound = try alac(seconds: 8)
    let done = Mutex<[SoundQueue.Done]>([])
    let listener = try PlanListener(sound.queue.unit)
    for number in 0..<sound.count {
      try sound.queue.enqueue([sound.packet(number)]) { one in done.withLock { $0.append(one) } }
    }
    #expect(sound.queue.unit.waitingCount < sound.count / 2)
    try sound.queue.start()
    listener.render(quanta: 200)
    sound.queue.unit.deliver()
    #expect(done.withLock { $0.map(\.number) } == Array(0..<200 * 64 / 4096))
    try sound.queue.flush()
    listener.render(quanta: 10)
    sound.queue.unit.deliver()
    let all = done.withLock { $0 }
    #expect(all.map(\.number) == Array(0..<sound.count))
    #expect(
      all.dropFirst(3).allSatisfy { $0.reason == .flushed && $0.frame.frames == 200 * 64 + 220 })
    #expect(sound.queue.waitingCount == 0)
  }

  @Test func `a drained queue is played to its end, including the rate converter`() throws {
    let sound = try Sound(file("a.m4a", seconds: 1, "-c:a", "alac"), rate: .hertz48000)
    let listener = try PlanListener(sound.queue.unit)
    let told = ToldEvents(sound.queue)
    try sound.enqueue(0..<sound.count)
    try sound.queue.start()
    try sound.queue.stop(draining: true)
    for _ in 0..<800 {
      listener.render(quanta: 1)
      sound.queue.unit.deliver()
    }
    #expect(told.all.last == .stopped(frame: 48_000))
    #expect(told.all.dropLast().last.map { "\($0)".contains("played") } == true)
  }

  @Test func `a completely trimmed list is done, and one without packets is refused`() throws {
    let sound = try alac()
    let listener = try PlanListener(sound.queue.unit)
    let done = Mutex<[Int]>([])
    #expect(throws: SoundQueueError.self) { try sound.queue.enqueue([]) }
    try sound.queue.enqueue([sound.packet(0)], trimStart: 9000) { one in
      done.withLock { $0.append(one.number) }
    }
    try sound.queue.enqueue([sound.packet(0)], trimStart: 4000) { one in
      done.withLock { $0.append(one.number) }
    }
    try sound.queue.start()
    listener.render(quanta: 4)
    sound.queue.unit.deliver()
    #expect(done.withLock { $0 } == [0, 1])
    let expected = try sound.read()
    #expect(Array(listener.channels[0].prefix(96)) == (4000..<4096).map { expected[2 * $0] })
  }

  @Test func `packets of a stream are played like those of a file`() throws {
    let path = try file("a.mp3", "-c:a", "libmp3lame", "-write_xing", "0")
    var stream = SoundStream()
    stream.append(try folder.bytes("a.mp3"))
    stream.finish()
    let properties = try #require(stream.properties)
    let queue = try PacketQueue(properties.layers[0], magicCookie: properties.magicCookie)
    for packet in stream.takePackets() { try queue.enqueue([packet.bytes]) }
    var heard: [Float] = []
    try queue.unit.renderOffline { part in for index in part.indices { heard.append(part[index]) } }
    #expect(heard == (try Sound(path).read()))
  }

  @Test func `captured sound is delivered as packets, including gaps`() async throws {
    let capture = CaptureQueue(channelCount: 2, bufferFrames: 1000, rate: Rate.studio)
    let encoded = try PacketCapture(capture, as: SoundFileFormat(.m4a, .integer16))
    let sound = SignalUnit.tone(500)
    var graph = AudioGraph()
    let node = graph.add(sound)
    try graph.connect(node, to: graph.add(capture))
    try graph.setHead(node)
    let listener = PlanListener(try graph.compile())
    let stream = encoded.packets
    let observed = Mutex<[PacketCapture.Packet?]>([])
    encoded.observe { packet in observed.withLock { $0.append(packet) } }
    try capture.start(at: .frame(100))
    listener.render(quanta: 200)
    try capture.pause()
    listener.render(quanta: 10)
    capture.deliver()
    try capture.start()
    listener.render(quanta: 100)
    capture.deliver()
    try capture.stop()
    listener.render(quanta: 1)
    capture.deliver()
    var all: [PacketCapture.Packet] = []
    for await packet in stream { all.append(packet) }
    #expect(observed.withLock { $0 } == all + [nil])
    #expect(all.map(\.isDiscontinuous) == [false, false, false, false, true, false])
    #expect(all[0].start.frames == 100 && all[4].start.frames == 210 * 64)
    let decoder = try PacketDecoder(
      SoundLayer(codec: .alac, hertz: 48_000, channelCount: 2, framesPerPacket: 4096),
      magicCookie: encoded.magicCookie)
    for packet in all {
      let samples = decoder.decode(packet.bytes, as: Float.self)
      #expect(samples.count == 2 * packet.frameCount)
      let start = Int(packet.start.frames)
      for frame in 0..<packet.frameCount {
        try #require(abs(samples[2 * frame] - listener.channels[0][start + frame]) < 1.0 / 32_000)
      }
    }
    #expect(encoded.failure == nil)
  }
}
