// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Glibc
import MusicalTime
import TestSupport
import Testing

@Suite struct SoundFileFailureTests {
  @Test(arguments: [
    ("a.wav", SoundFileFormat.Container.wav), ("B.WAVE", .wav), ("x/y.aif", .aiff),
    ("y.AIFF", .aiff), ("z.caf", .caf), ("z.flac", .flac), ("z.ogg", .ogg), ("z.oga", .ogg),
    ("z.mp3", .mp3), ("z.snd", .au), ("z.W64", .w64), ("z.opus", .opus), ("z.rf64", .rf64),
  ])
  func `the suffix names the container`(name: String, container: SoundFileFormat.Container) {
    #expect(SoundFileFormat.Container(path: name) == container)
  }

  @Test(arguments: ["a", "a.mp4", "wav", "a.wav/b", "", ".", "a."])
  func `a name with an unknown suffix is refused`(name: String) {
    #expect(throws: SoundFileError.unknownSuffix(path: name)) { try SoundFileFormat(path: name) }
  }

  @Test func `an unsupported encoding is refused, and the supported ones are listed`() {
    let error = #expect(throws: SoundFileError.self) {
      try SoundFileFormat(.flac, .float32)
    }
    #expect(
      error?.description == ".flac: does not support the encoding float (use 16, 24 or 8)")
  }

  @Test func `a released writer leaves no file`() throws {
    let folder = try ScratchFolder()
    do {
      let writer = try writer(folder.path("a.wav"))
      try writer.write([0, 0, 0, 0].span)
      #expect(try folder.names().count == 1)
    }
    #expect(try folder.names() == [])
  }

  @Test func `the old file stays until the new one is complete`() throws {
    let folder = try ScratchFolder()
    try folder.write("old", to: "a.wav")
    let path = folder.path("a.wav")
    do { _ = try writer(path) }
    #expect(try folder.bytes("a.wav") == Array("old".utf8))
    let second = try writer(path)
    try second.finish()
    #expect(try Array(folder.bytes("a.wav")[..<4]) == Array("RIFF".utf8))
  }

  @Test func `a file that was created meanwhile is kept`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.wav")
    var options = SoundFileWriter.Options()
    options.mayReplace = false
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav), channelCount: 1,
      rate: #require(SampleRate(hertz: 48_000)), options: options)
    try writer.write([0, 0].span)
    try folder.write("another's", to: "a.wav")
    #expect(throws: SoundFileError.exists(path: path)) { try writer.finish() }
    #expect(try folder.bytes("a.wav") == Array("another's".utf8))
  }

  @Test func `endless sound from a pipe is copied up to a limit`() throws {
    let folder = try ScratchFolder()
    let pipe = folder.path("pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    // A header that states 2 GB, and silence until the reader stops.
    let header =
      Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0x7F] + Array("WAVEfmt ".utf8)
      + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0xBB, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0]
      + Array("data".utf8) + [0xDB, 0xFF, 0xFF, 0x7F]
    let thread = EndlessWriter(pipe, header)
    let limit = 3 << 20
    #expect(throws: SoundFileError.tooMuch(path: pipe, limit: limit)) {
      try SoundFileReader(path: pipe, limit: limit)
    }
    let written = thread.finish()
    // The bytes in the pipe were also written.
    #expect((limit...limit + 1 << 20).contains(written), "\(written)")
    #expect(SoundFileReader.usualLimit == 1 << 32)
  }

  @Test func `the target of a link is replaced`() throws {
    let folder = try ScratchFolder()
    try folder.write("old", to: "real.wav")
    try #require(unsafe symlink("real.wav", folder.path("link.wav")) == 0)
    let writer = try writer(folder.path("link.wav"))
    try writer.finish()
    #expect(try Array(folder.bytes("real.wav")[..<4]) == Array("RIFF".utf8))
    #expect(try folder.names() == ["link.wav", "real.wav"])
  }

  @Test func `a folder that cannot be written is reported with the reason`() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "file")
    #expect(throws: SoundFileError.cannotCreate(path: folder.path("no/a.wav"), code: ENOENT)) {
      try writer(folder.path("no/a.wav"))
    }
    #expect(throws: SoundFileError.cannotCreate(path: folder.path("file/a.wav"), code: ENOTDIR)) {
      try writer(folder.path("file/a.wav"))
    }
    #expect(throws: SoundFileError.cannotCreate(path: folder.path, code: EISDIR)) {
      try writer(folder.path)
    }
    #expect(throws: SoundFileError.notRegularFile(path: "/dev/full")) { try writer("/dev/full") }
    #expect(
      SoundFileError.cannotCreate(path: "no/a.wav", code: ENOENT).description
        == "no/a.wav: cannot be created: no such file or directory")
  }

  /// In a separate process, a limit on file sizes has the effect of a full disk.
  @Test func `a full disk is reported, and no file remains`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      let sizeOfFiles = __rlimit_resource_t(1)
      try #require(unsafe setrlimit(sizeOfFiles, &limit) == 0)
      let folder = try ScratchFolder()
      for suffix in ["wav", "flac", "caf"] {
        let path = folder.path("a.\(suffix)")
        let noise = (0..<8192).map { Float($0 * $0 % 1999) / 2000 }
        #expect(throws: SoundFileError.cannotWrite(path: path, code: EFBIG)) {
          let writer = try SoundFileWriter(
            path: path, format: SoundFileFormat(path: path),
            rate: #require(SampleRate(hertz: 48_000)))
          for _ in 0..<100 { try writer.write(noise.span) }
          try writer.finish()
        }
        #expect(try folder.names() == [])
      }
    }
  }

  @Test func `a file without sound is refused with a reason`() throws {
    let folder = try ScratchFolder()
    try folder.write("RIFF, perhaps, but no sound", to: "a.wav")
    try folder.write("MThd, perhaps, but no sound", to: "song.wav")
    #expect(throws: SoundFileError.midiFile(path: folder.path("song.wav"))) {
      try SoundFileReader(path: folder.path("song.wav"))
    }
    let error = #expect(throws: SoundFileError.self) {
      try SoundFileReader(path: folder.path("a.wav"))
    }
    #expect(error?.description.hasPrefix("\(folder.path("a.wav")): not a readable sound") == true)
    #expect(throws: SoundFileError.cannotOpen(path: "/no.wav", code: ENOENT)) {
      try SoundFileReader(path: "/no.wav")
    }
    #expect(throws: SoundFileError.cannotOpen(path: folder.path, code: EISDIR)) {
      try SoundFileReader(path: folder.path)
    }
  }

  @Test func `an unsupported rate or channel count is refused before a file is created`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("a.flac")
    let rate = try #require(SampleRate(hertz: 48_000))
    let error = SoundFileError.impossibleShape(path: path, channelCount: 9, hertz: 48_000)
    #expect(throws: error) {
      try SoundFileWriter(
        path: path, format: SoundFileFormat(path: path), channelCount: 9, rate: rate)
    }
    #expect(try folder.names() == [])
  }

  private func writer(_ path: String) throws -> SoundFileWriter {
    try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav), rate: #require(SampleRate(hertz: 48_000)))
  }
}

/// A thread that writes to a pipe until it is closed.
private final class EndlessWriter: @unchecked Sendable {
  // Written by the thread, and read when it has ended.
  private var count = 0
  private var thread = pthread_t()

  init(_ path: String, _ header: [UInt8]) {
    let work = Work(path: path, header: header, writer: self)
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
  }

  /// Waits for the end of the thread; returns the number of bytes written.
  func finish() -> Int {
    pthread_join(thread, nil)
    return count
  }

  private final class Work {
    let path: String
    let header: [UInt8]
    let writer: EndlessWriter

    init(path: String, header: [UInt8], writer: EndlessWriter) {
      (self.path, self.header, self.writer) = (path, header, writer)
    }

    func run() {
      // The signal is blocked in this thread only; ignored by the process, it would be ignored by
      // child processes too.
      var pipe = sigset_t()
      unsafe sigemptyset(&pipe)
      unsafe sigaddset(&pipe, SIGPIPE)
      unsafe pthread_sigmask(SIG_BLOCK, &pipe, nil)
      let descriptor = unsafe open(path, O_WRONLY)
      var bytes = header + [UInt8](repeating: 0, count: 65_536)
      while true {
        let written = unsafe write(descriptor, bytes, bytes.count)
        guard written > 0 else { break }
        writer.count += written
        bytes = [UInt8](repeating: 0, count: 65_536)
      }
      close(descriptor)
    }
  }
}
