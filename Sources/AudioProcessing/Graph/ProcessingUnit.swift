// SPDX-License-Identifier: Apache-2.0

/// A processor of sound, seen from the control side: what a graph is made of.
///
/// The unit owns a kernel, which does the work on the render thread, and lives at least as long
/// as every plan it is part of.
public protocol ProcessingUnit: AnyObject {
  /// What the unit is called in an error message or a drawing of the graph.
  var name: String { get }

  /// The number of channels of each input bus.
  var inputChannelCounts: [Int] { get }

  /// The number of channels of each output bus.
  var outputChannelCounts: [Int] { get }

  /// The kernel and the function that renders it.
  var step: RenderStep { get }
}

/// A kernel and the function that renders one quantum of it.
///
/// A class method cannot be called from code that is checked for locks and allocations, so a step
/// is a C function pointer; each kernel is checked on its own.
@safe
public struct RenderStep: BitwiseCopyable {
  /// Renders one quantum: the first argument is the kernel, the second a `RenderBlock`.
  public typealias Function =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

  let kernel: UnsafeMutableRawPointer
  let function: Function

  /// Names a kernel, which must outlive the step, and its function.
  @unsafe
  public init(kernel: UnsafeMutableRawPointer, function: @escaping Function) {
    unsafe self.kernel = kernel
    unsafe self.function = function
  }
}

/// What a kernel is given for one quantum.
///
/// - Note: Real-time safe. Valid during the call only.
@safe
public struct RenderBlock: BitwiseCopyable {
  /// The position of the quantum's first frame.
  public internal(set) var startFrame: Int64
  /// The number of input buses.
  public let inputCount: Int
  /// The number of output buses.
  public let outputCount: Int
  private let buses: UnsafePointer<Bus>

  init(buses: UnsafePointer<Bus>, inputCount: Int, outputCount: Int) {
    startFrame = 0
    self.inputCount = inputCount
    self.outputCount = outputCount
    unsafe self.buses = buses
  }

  /// An input bus, not to be written to; it is silent where nothing is connected.
  @_noAllocation @_noLocks
  public func input(_ index: Int) -> Bus {
    assert(index >= 0 && index < inputCount, "a unit has no such input")
    return unsafe buses[index]
  }

  /// An output bus, holding what it held before: the kernel writes every sample.
  @_noAllocation @_noLocks
  public func output(_ index: Int) -> Bus {
    assert(index >= 0 && index < outputCount, "a unit has no such output")
    return unsafe buses[inputCount &+ index]
  }
}
