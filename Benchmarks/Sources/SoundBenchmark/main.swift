// SPDX-License-Identifier: Apache-2.0
// The cost of sound files. Each of these reads all frames of a file and prints their number, for
// another program to time: `decode`; `stream`, as the bytes arrive; `ext`, with ExtAudioFile;
// `packets` and `samples` through our queues, `queue` through an audio queue; `push` and `pull`
// through a converter to 48 kHz. `seek FILE` prints the time to open a file that was opened before,
// and to read a frame in its middle; `first ADDRESS` the instant of a stream's first sound, twice;
// `memory ADDRESS SECONDS` the memory that a stream keeps.
import AudioFiles
import Glibc
import MusicalTime

/// Every frame in turn; returns how many there were.
func decode(_ path: String) throws(SoundFileError) -> Int {
  let reader = try SoundFileReader(path: path)
  var count = 0
  while case let samples = reader.read(frameCount: 8192), !samples.isEmpty {
    count += samples.count / reader.channelCount
  }
  return count
}

/// Every frame in turn, decoded as pieces of the file arrive; returns how many there were.
func stream(_ path: String) throws -> Int {
  guard let file = unsafe fopen(path, "rb") else {
    throw SoundFileError.cannotOpen(path: path, code: errno)
  }
  defer { unsafe fclose(file) }
  var (stream, count) = (SoundStream(), 0)
  var decoder: StreamDecoder?
  var piece = [UInt8](repeating: 0, count: 1 << 14)
  var isOver = false
  while !isOver {
    let size = unsafe fread(&piece, 1, piece.count, file)
    isOver = size == 0
    if isOver { stream.finish() } else { stream.append(piece[..<size]) }
    for packet in stream.takePackets() {
      if decoder == nil, let properties = stream.properties {
        decoder = try StreamDecoder(properties)
      }
      for sound in try decoder?.decode(packet) ?? [] { count += sound.frameCount }
    }
  }
  for sound in decoder?.finish() ?? [] { count += sound.frameCount }
  return count
}

/// The processor time in milliseconds to open a file, and to read a frame of its middle.
func seek(_ path: String) throws(SoundFileError) -> (open: Double, seek: Double) {
  let start = processorTime()
  let reader = try SoundFileReader(path: path)
  let opened = processorTime()
  let isThere = reader.locate(to: SampleTime(frames: Int64(reader.frameCount / 2)))
  precondition(isThere && !reader.read(frameCount: 1).isEmpty, "\(path): has no middle")
  return ((opened - start) * 1000, (processorTime() - opened) * 1000)
}

/// In seconds, of the process.
func processorTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let words = CommandLine.arguments
/// What counts the frames of a file.
let readings: [String: (String) throws -> Int] = [
  "decode": decode, "stream": stream, "ext": AppleRun.extAudioFile, "queue": AppleRun.queue,
  "packets": OwnRun.packets, "samples": OwnRun.samples,
  "push": { try OwnRun.convert($0, pulled: false) },
  "pull": { try OwnRun.convert($0, pulled: true) },
]
let counts = ["seek": 3, "first": 3, "memory": 4]
guard words.count > 1, words.count == counts[words[1]] ?? 3,
  readings[words[1]] != nil || counts[words[1]] != nil
else {
  let names = readings.keys.sorted().joined(separator: "|")
  print("usage: SoundBenchmark \(names)|seek FILE; first ADDRESS; memory ADDRESS SECONDS")
  exit(64)
}
do {
  if let read = readings[words[1]] {
    print(try read(words[2]))
  } else if words[1] == "first" {
    print(try StreamRun.first(words[2]), try StreamRun.first(words[2]))
  } else if words[1] == "memory" {
    let (early, late) = try StreamRun.memory(words[2], seconds: Int(words[3]) ?? 3600)
    print(early, late)
  } else {
    _ = try seek(words[2])
    var times: [(open: Double, seek: Double)] = []
    for _ in 0..<9 { times.append(try seek(words[2])) }
    print(times.map(\.open).sorted()[4], times.map(\.seek).sorted()[4])
  }
} catch {
  print("\(error)")
  exit(1)
}
