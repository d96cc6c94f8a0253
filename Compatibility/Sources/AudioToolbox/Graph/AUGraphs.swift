public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Synchronization

/// Makes a graph without nodes.
///
/// - Parameter outGraph: takes the graph; nil where there is none.
/// - Returns: 0; −108 where a million objects are there.
/// - Note: Any thread.
@discardableResult
public func NewAUGraph(_ outGraph: UnsafeMutablePointer<AUGraph?>) -> OSStatus {
  let graph = GraphObject()
  unsafe outGraph.pointee = graph.enroll() ? graph.pointer : nil
  return unsafe outGraph.pointee == nil ? kAudio_MemFullError : noErr
}

/// Lets a graph and its units go; one that runs is stopped first.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_CannotDoInCurrentContext` for one that
///   stands in the place of a node, and goes with that.
/// - Note: Any thread but one that renders.
@discardableResult
public func DisposeAUGraph(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    guard !graph.isInner else { throw StatusError(kAUGraphErr_CannotDoInCurrentContext) }
    graph.dismiss()
  }
}

/// Makes the units of a graph's nodes.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphOpen(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in try graph.open() }
}

/// Lets the units of a graph's nodes go.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread but one that renders.
@discardableResult
public func AUGraphClose(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { $0.close() }
}

/// Makes a graph's units ready to render.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph; `kAudioUnitErr_Uninitialized` where it is not open;
///   `kAUGraphErr_OutputNodeErr` where it has not one output; what a unit returned.
/// - Note: Any thread but one that renders.
@discardableResult
public func AUGraphInitialize(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in try graph.initialize() }
}

/// Frees what a graph's units render with.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread but one that renders.
@discardableResult
public func AUGraphUninitialize(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { $0.uninitialize() }
}

/// Starts a graph's output.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph; `kAudioUnitErr_Uninitialized`.
/// - Note: Any thread.
@discardableResult
public func AUGraphStart(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in try graph.start() }
}

/// Stops a graph's output.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread but one that renders.
@discardableResult
public func AUGraphStop(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { $0.stop() }
}

/// Carries out the edits of a graph that runs; of another they are carried out at once.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsUpdated: takes true; nil for nobody.
/// - Returns: 0; −50 for an invalid graph; what a new unit returned.
/// - Note: Any thread, a notification of the graph's too. Not real-time safe.
@discardableResult
public func AUGraphUpdate(
  _ inGraph: AUGraph?, _ outIsUpdated: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.update()
    unsafe outIsUpdated?.pointee = true
  }
}

/// Whether a graph's nodes have units.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsOpen: takes the answer.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphIsOpen(
  _ inGraph: AUGraph?, _ outIsOpen: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outIsOpen.pointee = DarwinBoolean(graph.state.withLock(\.isOpen))
  }
}

/// Whether a graph's units are ready.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsInitialized: takes the answer.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphIsInitialized(
  _ inGraph: AUGraph?, _ outIsInitialized: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outIsInitialized.pointee = DarwinBoolean(graph.state.withLock(\.isInitialized))
  }
}

/// Whether a graph was started.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outIsRunning: takes the answer.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphIsRunning(
  _ inGraph: AUGraph?, _ outIsRunning: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outIsRunning.pointee = DarwinBoolean(graph.state.withLock(\.isRunning))
  }
}

/// The part of the time that rendering takes, of late: 1 is all of it.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outAverageCPULoad: takes the part; 0 where it does not run on a device.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetCPULoad(
  _ inGraph: AUGraph?, _ outAverageCPULoad: UnsafeMutablePointer<Float32>
) -> OSStatus {
  unsafe edit(inGraph) { unsafe outAverageCPULoad.pointee = $0.run?.load ?? 0 }
}

/// The highest part of the time that rendering has taken since the last call.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outMaxLoad: takes the part; 0 where it does not run on a device.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetMaxCPULoad(
  _ inGraph: AUGraph?, _ outMaxLoad: UnsafeMutablePointer<Float32>
) -> OSStatus {
  unsafe edit(inGraph) { unsafe outMaxLoad.pointee = $0.run?.peakLoad ?? 0 }
}

/// Has a function called before and after each slice of a graph.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inCallback: the function.
///   - inRefCon: its first argument.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphAddRenderNotify(
  _ inGraph: AUGraph?, _ inCallback: @escaping AURenderCallback,
  _ inRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  let notify = unsafe RenderNotify(function: inCallback, data: inRefCon)
  return unsafe edit(inGraph) { graph in graph.setNotifies { $0.append(notify) } }
}

/// Ends what `AUGraphAddRenderNotify` began.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inCallback: the function.
///   - inRefCon: its first argument.
/// - Returns: 0; −50 for an invalid graph.
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

/// Does something with the graph that a call means.
@unsafe
func edit(
  _ reference: AUGraph?, _ body: (GraphObject) throws(StatusError) -> Void
) -> OSStatus {
  guard let graph = unsafe GraphObject.find(reference) else { return kAudio_ParamError }
  return status { () throws(StatusError) in try body(graph) }
}

extension GraphObject {
  /// The run of its output on the device.
  var run: DeviceRun? { state.withLock(\.head)?.unit?.run }
}
