package io.holdfast.spring.proxy;

import io.holdfast.spring.HoldfastLock;

/** A superclass whose annotated method is not visible in the packages of its subclasses. */
public abstract class PackagePrivateBase {

    @HoldfastLock("x")
    void method() {}
}
