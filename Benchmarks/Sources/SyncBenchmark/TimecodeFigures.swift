// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockService
import ClockTraces
import MIDIMessages
import MusicalTime

/// Downbeat's follower of time code on a trace of ticks: quarter frames at 25 frames a second.
struct OurTimecode: TracedFollower {
  private var follower = MTCFollower()
  private var sent: Int64 = 0
  static let rate = FrameRate.fps25

  var period: Double { (follower.estimate?.period ?? .nan) * 1e-9 }

  mutating func tick(at time: Double) {
    _ = follower.take(Self.message(sent, Self.rate), at: Ours.hostTime(time))
    sent += 1
  }

  mutating func position(at time: Double) -> Double? {
    let host = Ours.hostTime(time)
    return follower.timeline(at: host)?.position(at: host)
  }

  static func message(_ quarterFrame: Int64, _ rate: FrameRate) -> Message {
    let label = rate.label(ofFrameInDay: quarterFrame / 8 * 2)
    let piece = Int(quarterFrame & 7)
    let fields = [
      label.frames, label.seconds, label.minutes, rate.mtcCode.rawValue << 5 | label.hours,
    ]
    let field = fields[piece / 2]
    return Message(
      status: 0xF1, data1: UInt8(piece) << 4 | (piece & 1 == 0 ? field & 0x0F : field >> 4))
  }

  /// How many of some runs tell a rate from its neighbour 0.1 % off in a time.
  static func recognized(jitter: Double, within seconds: Double, seeds: Range<Int>) -> Double {
    let rates: [FrameRate] = [.fps23976, .fps24, .fps2997, .fps30]
    var right = 0
    for (place, rate) in rates.enumerated() {
      for seed in seeds {
        var noise = NormalNoise(seed: UInt64(1000 * place + seed))
        var follower = MTCFollower()
        let exact = 1 / (4 * rate.framesPerSecond.approximation)
        for index in 0..<Int64(seconds / exact) {
          let time = 1 + Double(index) * exact + noise.next(jitter * 1e-3)
          _ = follower.take(message(index, rate), at: Ours.hostTime(time))
        }
        if follower.recognizedRate == rate { right += 1 }
      }
    }
    return Double(right) / Double(rates.count * seeds.count)
  }
}

/// What is left of a prediction a second after the last clock.
enum FreewheelFigures {
  /// The 95th percentile of the phase error at 1 ms jitter, in ms.
  static func p95(seeds: Range<Int>) -> Double {
    var errors: [Double] = []
    for seed in seeds {
      let trace = ClockTrace("g1.0", seed: seed)
      var follower = Ours(published: false)
      for (index, arrival) in trace.arrivals.enumerated() {
        follower.tick(at: arrival)
        guard index > 16 * 24, index % 24 == 0, index + 48 < trace.count else { continue }
        let end = trace.times[index + 48]
        let error = (follower.position(at: end) ?? .nan) - Double(index + 48)
        errors.append(abs(error) * trace.period(index) * 1e3)
      }
    }
    return errors.quantile(0.95)
  }
}
