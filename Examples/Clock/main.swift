// SPDX-License-Identifier: Apache-2.0
// A clock that typed commands control. It shows its position in several formats: clock TEMPO
import ClockService
import MusicalTime

func perform(_ line: String, _ clock: Transport, _ taps: inout TempoTap) async throws {
  let words = line.split(separator: " ").map(String.init)
  switch (words.first, words.dropFirst().first) {
  case (nil, nil): return
  case ("start", nil): try await clock.start().effect()
  case ("stop", nil): try await clock.stop().effect()
  case ("at", let time?): try await clock.locate(to: time).effect()
  case ("rate", let rate?): try await clock.setPlayRate(Ratio(parsing: rate)).effect()
  case ("tempo", let tempo?):
    try await clock.setTempo(Tempo(beatsPerMinute: Ratio(parsing: tempo))).effect()
  case ("tap", nil):
    guard let tempo = taps.tap(at: .now) else { return }
    try await clock.setTempo(tempo).effect()
  default: print("start, stop, at TIME, tempo NUMBER, rate NUMBER, tap")
  }
}

/// Prints the position of the clock; all formats show the same instant.
func report(_ clock: Transport) throws {
  let (now, snapshot) = (HostTime.now, clock.snapshot)
  for format in [TimeFormat.barBeat, .beats, .seconds, .timecode, .samples, .midiClocks] {
    let value = try snapshot.value(at: now, in: format, rounding: .floor).value
    print("\(format.rawValue):\(try value.text(as: format))", terminator: " ")
  }
  print(snapshot.isRunning ? "running" : "stopped")
}

func run(at tempo: Ratio) async throws {
  let map = TempoMap(ppqn: .standard, tempo: try Tempo(beatsPerMinute: tempo))
  var settings = MusicClock(tempoMap: map)
  settings.frameRate = .fps25
  settings.sampleRate = .hertz48000
  let clock = try Transport(settings)
  var taps = TempoTap()
  print("start, stop, at TIME, tempo NUMBER, rate NUMBER, tap; Return shows the time, Ctrl-D quits")
  while let line = readLine() {
    do {
      try await perform(line, clock, &taps)
    } catch {
      print(error)
    }
    try report(clock)
  }
  clock.end()
}

let words = CommandLine.arguments.dropFirst()
if words.count == 1 {
  do {
    try await run(at: Ratio(parsing: words[1]))
  } catch {
    print(error)
  }
} else {
  print("usage: clock TEMPO")
}
