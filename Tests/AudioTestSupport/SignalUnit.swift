// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
import MusicalTime

/// A source with a known signal, for tests of units.
@safe
package final class SignalUnit: ProcessingUnit {
  /// The signal of each frame and channel.
  package enum Signal: BitwiseCopyable {
    /// One constant value.
    case constant(Float)
    /// Left is the frame's number times a millionth, right its negative.
    case count
    /// A sine whose argument is the frame's number times a factor.
    case sine(radians: Double, amplitude: Float)
    /// Values that alternate with every frame.
    case alternating(Float, Float)
  }

  package let name: String
  private let kernel: UnsafeMutablePointer<Signal>

  package init(_ signal: Signal, name: String = "signal") {
    self.name = name
    unsafe kernel = .allocate(capacity: 1)
    unsafe kernel.initialize(to: signal)
  }

  deinit {
    unsafe kernel.deallocate()
  }

  package var signal: Signal {
    get { unsafe kernel.pointee }
    set { unsafe kernel.pointee = newValue }
  }

  package let inputChannelCounts: [Int] = []
  package let outputChannelCounts = [2]

  package var step: RenderStep {
    unsafe RenderStep(kernel: kernel) { kernel, block in
      unsafe SignalUnit.render(
        kernel.assumingMemoryBound(to: Signal.self).pointee,
        block.assumingMemoryBound(to: RenderBlock.self).pointee)
    }
  }

  private static func render(_ signal: Signal, _ block: RenderBlock) {
    let bus = block.output(0)
    for frame in 0..<AudioFormat.quantum {
      let left = value(signal, block.start.frames + Int64(frame))
      unsafe bus.channel(0)[frame] = left
      if case .count = signal {
        unsafe bus.channel(1)[frame] = -left
      } else {
        unsafe bus.channel(1)[frame] = left
      }
    }
  }

  package static func value(_ signal: Signal, _ frame: Int64) -> Float {
    switch signal {
    case .constant(let value): value
    case .count: Float(frame) / 1_000_000
    case .sine(let radians, let amplitude): amplitude * sine(Double(frame) * radians)
    case .alternating(let even, let odd): frame % 2 == 0 ? even : odd
    }
  }
}
