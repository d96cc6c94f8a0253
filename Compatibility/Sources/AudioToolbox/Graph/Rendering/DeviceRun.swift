internal import AudioProcessing
internal import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A unit's sound on the device, from a start to a stop.
final class DeviceRun: @unchecked Sendable {
  // Unchecked: one thread renders, and the clock is read under a lock.

  private let output: any OutputUnit
  private let puller: DevicePuller
  private let unit: FunctionUnit
  private let clock: Mutex<ReferenceClock>

  /// Opens the device, or where there is none a clock of the machine's, and starts.
  ///
  /// - Throws: where no thread can be had, or the rate is none.
  init(_ head: UnitObject, rate: Double) throws {
    guard let rate = SampleRate(hertz: Int(rate)) else {
      throw StatusError(kAudioUnitErr_FormatNotSupported)
    }
    output = SharedOutput.make(rate: rate)
    puller = DevicePuller(head, rate: Double(rate.hertz))
    unit = unsafe FunctionUnit(
      name: "audio units", outputs: [2], context: Unmanaged.passUnretained(puller).toOpaque()
    ) { context, block in
      let block = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee
      unsafe Unmanaged<DevicePuller>.fromOpaque(context).takeUnretainedValue().render(block)
    }
    clock = Mutex(ReferenceClock(rate: rate, latency: output.latency))
    try output.start(.playing(unit), at: .zero)
  }

  /// Stops and returns when the device is silent.
  func stop() {
    output.stop(draining: false)
  }

  /// Where the device's frames lie on the host's clock; nil before the first period.
  var base: TimeBase? {
    clock.withLock { clock in
      _ = clock.look(output.clock, at: output.position)
      return clock.base
    }
  }

  /// Its frames as the pace of a clock; nil before the first period.
  var pace: DevicePace.Source? {
    clock.withLock { _ in output.clock }.map {
      DevicePace.Source($0, rate: output.format.rate, stream: number)
    }
  }

  /// A number below 0 that another run does not have.
  private let number = DeviceRun.count.subtract(1, ordering: .relaxed).newValue
  private static let count = Atomic(0)

  /// The first instant from one on at which the first frame of a quantum is heard that is rendered
  /// then, or later.
  func startTime(atOrAfter time: HostTime) -> HostTime {
    guard let base else { return time }
    let rate = output.format.rate
    let rendered = rate.timeRoundedUp(of: output.position).advanced(byNanoseconds: Self.lead)
    let frame = rate.frame(at: max(base.time(at: time, .scheduled), rendered)).frames
    let quantum = Int64(AudioFormat.quantum)
    let first = (frame + quantum) / quantum * quantum
    return base.hostTime(of: rate.timeRoundedUp(of: SampleTime(frames: first)))
  }

  /// What is rendered sooner may be too late for an event, in nanoseconds.
  private static let lead: Int64 = 10_000_000

  /// The part of the time that it takes to make the sound: 0 where nobody measures.
  var load: Float { puller.load.average }
  var peakLoad: Float { puller.load.takePeak() }
}
