// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import AudioProcessing
import MusicalTime
import TestSupport
import Testing

/// The list of running streams, with ALSA's device `null`.
@Suite struct RunningStreamTests {
  @Test func `an output is listed from its start to its stop, with its own clock`() async throws {
    var wishes = ALSAOutputUnit.Wishes()
    (wishes.device, wishes.channelCount, wishes.periodFrames) = ("null", 1, 320)
    let output = try ALSAOutputUnit(rate: .hertz44100, wishes: wishes)
    func own() -> RunningStream? { RunningStream.all.first { $0.periodFrames == 320 } }
    #expect(own() == nil)
    var graph = AudioGraph()
    try graph.setHead(graph.add(GeneratorUnit(.sine, rate: .hertz44100)))
    try output.start(graph.compile())
    let stream = try #require(own())
    #expect(stream.device == "null" && stream.direction == .playback)
    #expect(stream.rate == .hertz44100 && stream.number > 0)
    #expect(stream.bufferFrames == output.bufferFrames)
    await wait { stream.clock != nil }
    let pace = try #require(stream.pace)
    #expect(pace.rate == .hertz44100 && pace.stream == stream.number)
    output.stop(draining: false)
    #expect(own() == nil)
  }

  @Test func `an input is listed while it exists`() async throws {
    var wishes = ALSAInput.Wishes()
    (wishes.device, wishes.periodFrames) = ("null", 352)
    func own() -> RunningStream? { RunningStream.all.first { $0.periodFrames == 352 } }
    do {
      let input = try ALSAInput(rate: .hertz48000, wishes: wishes)
      #expect(own()?.direction == .capture && own()?.channelCount == input.channelCount)
    }
    #expect(own() == nil)
  }
}
