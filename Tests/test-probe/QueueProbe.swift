// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import AudioProcessing
import Glibc
import MusicalTime

/// Plays queues on a device without the command: `TestProbe queue DEVICE PERIOD PERIODS`.
///
/// One queue strikes at frame 0 of the output, another is started at a frame and has buffers at
/// others, by the output's frames and by the host's clock. It prints the frame at which each begins,
/// and ends after the last.
enum QueueProbe {
  private static let rate = SampleRate.hertz48000

  static func run(_ words: [String]) async throws {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = words[0]
    wishes.periodFrames = Int(words[1]) ?? 1024
    wishes.periodCount = Int(words[2]) ?? 4
    let output = try ALSAOutputUnit(rate: rate, wishes: wishes)
    let (mark, queue) = (SoundQueue(name: "mark", rate: rate), SoundQueue(rate: rate))
    let mixer = MixerUnit(stripCount: 2, rate: rate)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    try graph.connect(graph.add(mark), to: head, input: 0)
    try graph.connect(graph.add(queue), to: head, input: 1)
    try graph.setHead(head)
    try mark.enqueue(stroke())
    try mark.start(at: .frame(0))
    // The line from reference time to the host's is the test's own: frame 150 001 is 1 s after.
    let base = TimeBase(origin: HostTime(nanoseconds: 7_000_000_000), delay: 0)
    let moment = HostTime(nanoseconds: 7_000_000_000 + 150_001 * 1_000_000_000 / 48_000 + 1)
    try queue.enqueue(stroke())
    try queue.enqueue(stroke(), at: .frame(SampleTime(frames: 69_919)))
    try queue.enqueue(stroke(), at: .frame(SampleTime(frames: 119_072)))
    try queue.enqueue(stroke(), at: .host(moment, base))
    try queue.start(at: .frame(SampleTime(frames: 33_333)))
    let events = queue.events
    try queue.follow(output, telling: .heard)
    try output.start(try graph.compile(), at: .zero)
    for await event in events {
      switch event {
      case .began(_, let frame, let late): say("stroke \(frame.frames) late \(late)")
      case .done(let done) where done.number == 3:
        output.stop(draining: true)
        say("xruns \(output.xrunCount)")
        return
      default: break
      }
    }
  }

  /// A sample of half of full scale, and silence.
  private static func stroke() -> SoundBuffer {
    SoundBuffer(interleaved: [0.5, 0.5] + [Float](repeating: 0, count: 2 * 480))
  }

  private static func say(_ words: String) {
    print(words)
    fflush(nil)
  }
}
