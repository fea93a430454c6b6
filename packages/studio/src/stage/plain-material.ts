/**
 * A surface lit at its corners, with one sample of the shadow per pixel and no gloss: a third of the work of three's own
 * material, for where the processor draws.
 */
import { Color, DoubleSide, ShaderMaterial, UniformsLib, UniformsUtils } from 'three';

export function createPlainMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: UniformsUtils.merge([UniformsLib.lights, { diffuse: { value: new Color() } }]),
    lights: true,
    clipping: true,
    side: DoubleSide,
    vertexShader: /* glsl */ `
      #include <common>
      #include <lights_pars_begin>
      #include <shadowmap_pars_vertex>
      #include <clipping_planes_pars_vertex>
      // Of the side that faces along the normal, and of the other.
      varying vec3 shaded;
      varying vec3 shadedBehind;
      varying vec3 key;
      varying vec3 keyBehind;
      #include <color_pars_vertex>

      vec3 lightWithoutKey(vec3 normal) {
        vec3 light = ambientLightColor;
        #if NUM_HEMI_LIGHTS > 0
          light += getHemisphereLightIrradiance(hemisphereLights[0], normal);
        #endif
        #if NUM_DIR_LIGHTS > 1
          light += directionalLights[1].color * max(0.0, dot(normal, directionalLights[1].direction));
        #endif
        return RECIPROCAL_PI * light;
      }

      void main() {
        #include <beginnormal_vertex>
        #include <defaultnormal_vertex>
        #include <begin_vertex>
        #include <project_vertex>
        #include <clipping_planes_vertex>
        #include <worldpos_vertex>
        #include <shadowmap_vertex>
        #include <color_vertex>
        vec3 normal = normalize(transformedNormal);
        float facing = dot(normal, directionalLights[0].direction);
        shaded = lightWithoutKey(normal);
        shadedBehind = lightWithoutKey(-normal);
        key = RECIPROCAL_PI * directionalLights[0].color * max(0.0, facing);
        keyBehind = RECIPROCAL_PI * directionalLights[0].color * max(0.0, -facing);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 diffuse;
      #include <common>
      #include <packing>
      #include <lights_pars_begin>
      #include <shadowmap_pars_fragment>
      #include <clipping_planes_pars_fragment>
      varying vec3 shaded;
      varying vec3 shadedBehind;
      varying vec3 key;
      varying vec3 keyBehind;
      #include <color_pars_fragment>

      void main() {
        #include <clipping_planes_fragment>
        float seen = 1.0;
        #if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
          DirectionalLightShadow light = directionalLightShadows[0];
          seen = getShadow(
            directionalShadowMap[0], light.shadowMapSize, light.shadowIntensity, light.shadowBias, light.shadowRadius,
            vDirectionalShadowCoord[0]
          );
        #endif
        vec3 lit = gl_FrontFacing ? shaded + seen * key : shadedBehind + seen * keyBehind;
        vec4 diffuseColor = vec4(diffuse, 1.0);
        #include <color_fragment>
        gl_FragColor = vec4(diffuseColor.rgb * lit, 1.0);
        #include <colorspace_fragment>
      }`,
  });
}
