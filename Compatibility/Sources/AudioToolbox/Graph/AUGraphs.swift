public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Synchronization

/// Creates a graph without nodes.
///
/// - Parameter outGraph: receives the graph, or nil after an error.
/// - Returns: 0; `kAudio_MemFullError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>) -> OSStatus {
  let graph = GraphObject()
  unsafe outGraph.pointee = graph.enroll() ? graph.pointer : nil
  return unsafe outGraph.pointee == nil ? kAudio_MemFullError : noErr
}

/// Frees a graph and its units; a running graph is stopped first.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid;
///   `kAUGraphErr_CannotDoInCurrentContext` for a subgraph, which is freed with its outer graph.
/// - Note: Any thread except a render thread.
@discardableResult
public func DisposeAUGraph(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    guard !graph.isInner else { throw StatusError(kAUGraphErr_CannotDoInCurrentContext) }
    graph.dismiss()
  }
}

/// Creates the units of a graph's nodes.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAudio_MemFullError` if a million
///   objects exist.
/// - Note: Any thread.
@discardableResult
public func AUGraphOpen(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in try graph.open() }
}

/// Stops and uninitializes a graph, and frees the units of its nodes.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread except a render thread.
@discardableResult
public func AUGraphClose(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { $0.close() }
}

/// Prepares a graph's units for rendering.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAudioUnitErr_Uninitialized` if it
///   is not open; `kAUGraphErr_OutputNodeErr` if it does not have exactly one output; the error of
///   a unit.
/// - Note: Any thread except a render thread.
@discardableResult
public func AUGraphInitialize(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in try graph.initialize() }
}

/// Stops a graph and frees the memory with which its units render.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread except a render thread.
@discardableResult
public func AUGraphUninitialize(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { $0.uninitialize() }
}

/// Starts a graph's output.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAudioUnitErr_Uninitialized` if it
///   is not initialized; the error of the output.
/// - Note: Any thread.
@discardableResult
public func AUGraphStart(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in try graph.start() }
}

/// Stops a graph's output.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread except a render thread.
@discardableResult
public func AUGraphStop(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { $0.stop() }
}

/// Applies the edits of a running graph.
///
/// Edits of a graph that is not running are applied when they are made.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsUpdated: receives true; may be nil.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; the error of a new unit.
/// - Note: Any thread, also in a render notification of the graph. Not real-time safe.
@discardableResult
public func AUGraphUpdate(
  _ inGraph: AUGraph?, _ outIsUpdated: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.update()
    unsafe outIsUpdated?.pointee = true
  }
}

/// Checks if a graph is open, so that its nodes have units.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsOpen: receives true if the graph is open.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphIsOpen(
  _ inGraph: AUGraph?, _ outIsOpen: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outIsOpen.pointee = DarwinBoolean(graph.state.withLock(\.isOpen))
  }
}

/// Checks if a graph is initialized.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsInitialized: receives true if the graph is initialized.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphIsInitialized(
  _ inGraph: AUGraph?, _ outIsInitialized: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outIsInitialized.pointee = DarwinBoolean(graph.state.withLock(\.isInitialized))
  }
}

/// Checks if a graph is running.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsRunning: receives true from a start to a stop.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphIsRunning(
  _ inGraph: AUGraph?, _ outIsRunning: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outIsRunning.pointee = DarwinBoolean(graph.state.withLock(\.isRunning))
  }
}

/// Returns the recent average load of rendering; 1 is all of the available time.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outAverageCPULoad: receives the load; 0 if the graph does not run on a device.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetCPULoad(
  _ inGraph: AUGraph?, _ outAverageCPULoad: UnsafeMutablePointer<Float32>
) -> OSStatus {
  unsafe edit(inGraph) { unsafe outAverageCPULoad.pointee = $0.run?.load ?? 0 }
}

/// Returns the highest load of rendering since the last call; 1 is all of the available time.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outMaxLoad: receives the load; 0 if the graph does not run on a device.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetMaxCPULoad(
  _ inGraph: AUGraph?, _ outMaxLoad: UnsafeMutablePointer<Float32>
) -> OSStatus {
  unsafe edit(inGraph) { unsafe outMaxLoad.pointee = $0.run?.peakLoad ?? 0 }
}

/// Adds a function that is called before and after a graph renders each slice.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inCallback: the function, which is called on the render thread.
///   - inRefCon: passed to the function as its first argument; may be nil.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphAddRenderNotify(
  _ inGraph: AUGraph?, _ inCallback: @escaping AURenderCallback,
  _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  let notify = unsafe RenderNotify(function: inCallback, data: inRefCon)
  return unsafe edit(inGraph) { graph in graph.setNotifies { $0.append(notify) } }
}

/// Removes a function that was added with `AUGraphAddRenderNotify`.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inCallback: the function.
///   - inRefCon: the argument with which it was added.
/// - Returns: 0, also if the function was not added; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphRemoveRenderNotify(
  _ inGraph: AUGraph?, _ inCallback: @escaping AURenderCallback,
  _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  let notify = unsafe RenderNotify(function: inCallback, data: inRefCon)
  return unsafe edit(inGraph) { graph in
    graph.setNotifies { all in all.removeAll { $0 == notify } }
  }
}

/// Calls a function with the graph of a reference and returns the error code.
@unsafe
func edit(
  _ reference: AUGraph?, _ body: (GraphObject) throws(StatusError) -> Void
) -> OSStatus {
  guard let graph = unsafe GraphObject.find(reference) else { return kAudio_ParamError }
  return status { () throws(StatusError) in try body(graph) }
}

extension GraphObject {
  /// The run of the graph's output on the device; nil while it does not play on a device.
  var run: DeviceRun? { state.withLock(\.head)?.unit?.run }
}
