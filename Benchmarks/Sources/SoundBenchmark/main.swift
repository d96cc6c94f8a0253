// SPDX-License-Identifier: Apache-2.0
// What reading sound files costs: `SoundBenchmark decode FILE` reads all of a file's frames, for
// another program to time, and `SoundBenchmark stream FILE` does the same with its bytes as they
// arrive; `SoundBenchmark seek FILE` tells what it takes, once it was opened before,
// to open it, and to go to its middle and read a frame there; `SoundBenchmark first ADDRESS` tells when
// the first sound of a stream is rendered, in a process that is new and again, and `SoundBenchmark memory ADDRESS SECONDS` what is kept in
// memory of one.
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
let counts = ["decode": 3, "stream": 3, "seek": 3, "first": 3, "memory": 4]
guard words.count > 1, words.count == counts[words[1]] else {
  print("usage: SoundBenchmark decode|stream|seek FILE; first ADDRESS; memory ADDRESS SECONDS")
  exit(64)
}
do {
  if words[1] == "decode" {
    print(try decode(words[2]))
  } else if words[1] == "stream" {
    print(try stream(words[2]))
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
