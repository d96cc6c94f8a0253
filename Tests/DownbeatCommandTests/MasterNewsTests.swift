// SPDX-License-Identifier: Apache-2.0
import ClockService
import CommandOptions
import JSONText
import MIDIMessages
import MusicalTime
import Testing

@testable import PortTools

/// The sentences about a clock master.
@Suite struct MasterNewsTests {
  private let start = FollowedPosition.clock(MIDIClock(count: 0))

  private func sentences(_ kind: SyncSource.Kind, _ events: [FollowerEvent]) -> [String?] {
    var news = MasterNews(of: kind)
    return events.map { news.sentence(about: $0) }
  }

  @Test func `for a MIDI clock that runs without Start, the user must send Start`() {
    #expect(
      sentences(.midi, [.locked]) == [
        "locked; waiting for Start (press Start or Continue on the master)"
      ])
    #expect(sentences(.mtc, [.locked]) == ["locked"])
    let now = HostTime(nanoseconds: 0)
    #expect(sentences(.midi, [.started(start, at: now), .locked]).last == "locked")
  }

  @Test func `a stopped master is not reported as continuing`() {
    let events: [FollowerEvent] = [.stopped(.stopMessage, start), .freewheeling, .lost]
    #expect(
      sentences(.midi, events) == [
        "stopped: the master stopped", "no clock received while stopped",
        "no clock: the master is off, or sends none while stopped",
      ])
    let now = HostTime(nanoseconds: 0)
    #expect(
      sentences(.midi, [.started(start, at: now), .freewheeling, .lost]) == [
        "started at beat 0.000", "no clock received; continuing at the last tempo", "master lost",
      ])
  }

  @Test(arguments: [SyncSource.Kind.midi, .mtc, .link])
  func `a line about a clock fits 80 columns`(kind: SyncSource.Kind) {
    var line = WatchedLine(kind)
    line.lock = .locked
    line.beat = 1234.5
    line.tempo = (120.25, kind == .midi ? 0.04 : nil)
    if kind == .mtc { line.rate = (.fps2997Drop, 1) }
    line.jitter = 123_456
    line.facts = [.init(counted: "lost", 0), .init(counted: "doubled", 0)]
    if kind == .link {
      line.facts.append(.init(name: "peers", value: 1, words: "1 peer"))
      line.facts.append(.init(name: "drift_ppm", value: 0, words: "-12 ppm"))
    }
    #expect(line.text.count <= 80, "\(line.text)")
    line.transport = .stopped
    line.runsWithoutStart = true
    #expect(line.text.hasPrefix("locked     running  beat 1234.500"), "\(line.text)")
  }
}
