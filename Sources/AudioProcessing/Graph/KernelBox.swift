// SPDX-License-Identifier: Apache-2.0

/// The owner of a unit's kernel: it stands at one place in memory for as long as the unit lives.
///
/// - Note: Not real-time safe to create or to destroy.
@safe
public struct KernelBox<Kernel: ~Copyable>: ~Copyable {
  /// The kernel and its function.
  public let step: RenderStep
  private let pointer: UnsafeMutablePointer<Kernel>

  /// Takes a kernel and the function that renders it.
  public init(_ kernel: consuming Kernel, _ function: @escaping RenderStep.Function) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: kernel)
    step = unsafe RenderStep(kernel: pointer, function: function)
  }

  /// Takes a kernel, the function that renders it, and the one that forgets what it has heard.
  init(
    _ kernel: consuming Kernel, _ function: @escaping RenderStep.Function,
    clearing: @escaping RenderStep.Clearing
  ) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: kernel)
    step = unsafe RenderStep(kernel: pointer, function: function, clearing: clearing)
  }

  /// The kernel, for what it shares with the control side.
  public var pointee: Kernel {
    _read { yield unsafe pointer.pointee }
  }

  deinit {
    unsafe pointer.deinitialize(count: 1).deallocate()
  }
}
